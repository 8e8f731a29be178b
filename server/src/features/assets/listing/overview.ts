import { permit, type Ctx } from '#platform/context.ts'
import { listCandidates } from '../assets.ts'
import { freshnesses, type Freshness } from './asset-query.ts'
import { disappearedThisWeek, seenBetween } from './filter-and-sort.ts'
import type { AssetType } from '../observation.ts'
import * as store from './overview-store.ts'

/** Counts for the overview page. */
export interface Overview {
  readonly total: number
  readonly byType: readonly { readonly type: AssetType; readonly count: number }[]
  /** Observations of each source; an asset with several sources counts for each. */
  readonly bySource: readonly store.SourceCount[]
  readonly byFreshness: readonly { readonly freshness: Freshness; readonly count: number }[]
  /** First seen in the last seven days. */
  readonly newThisWeek: number
  /** Seen for the last time seven to fourteen days ago: it went quiet this week. */
  readonly goneThisWeek: number
  readonly possibleDuplicates: number
}

export async function getOverview(ctx: Ctx): Promise<Overview> {
  permit(ctx, 'assets:read')
  const now = ctx.now()
  const { before: week, from: fortnight } = disappearedThisWeek(now)
  const starts = freshnesses.flatMap((it) => seenBetween(it, now).from ?? [])
  const [byType, bySource, seen, newThisWeek, duplicates] = await Promise.all([
    store.countTypes(ctx),
    store.countSources(ctx),
    store.countSeenSince(ctx, [...starts, week, fortnight]),
    store.countNew(ctx, week),
    listCandidates(ctx, { limit: 1, offset: 0 }),
  ])
  const total = byType.reduce((sum, { count }) => sum + count, 0)
  const upTo = [0, ...seen.slice(0, starts.length), total]
  const [sinceWeek = 0, sinceFortnight = 0] = seen.slice(starts.length)
  return {
    total,
    byType,
    bySource,
    byFreshness: freshnesses.map((freshness, at) => ({
      freshness,
      count: Math.max(0, (upTo[at + 1] ?? 0) - (upTo[at] ?? 0)),
    })),
    newThisWeek,
    goneThisWeek: sinceFortnight - sinceWeek,
    possibleDuplicates: duplicates.total,
  }
}
