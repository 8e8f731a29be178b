import { minuteOf } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { listCandidates } from '../assets.ts'
import { freshnesses, type Freshness } from './asset-query.ts'
import { disappearedThisWeek, seenBetween } from './filter-and-sort.ts'
import * as store from './overview-store.ts'

/** Counts for the overview page. */
export interface Overview {
  readonly total: number
  readonly byType: readonly store.TypeCount[]
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
  const now = minuteOf(ctx)
  const { before: week, from: fortnight } = disappearedThisWeek(now)
  const starts = freshnesses.flatMap((it) => seenBetween(it, now).from ?? [])
  const instants = [...starts, week, fortnight].toSorted((a, b) => b.getTime() - a.getTime())
  const [{ byType, seenSince, newSince }, bySource, duplicates] = await Promise.all([
    store.countAges(ctx, { seenSince: instants, newSince: week }),
    store.countSources(ctx),
    listCandidates(ctx, { limit: 1, offset: 0 }),
  ])
  const since = (instant: Date): number =>
    seenSince[instants.findIndex((it) => it.getTime() === instant.getTime())] ?? 0
  const total = byType.reduce((sum, { count }) => sum + count, 0)
  const upTo = [0, ...starts.map(since), total]
  return {
    total,
    byType,
    bySource,
    byFreshness: freshnesses.map((freshness, at) => ({
      freshness,
      count: (upTo[at + 1] ?? 0) - (upTo[at] ?? 0),
    })),
    newThisWeek: newSince,
    goneThisWeek: since(fortnight) - since(week),
    possibleDuplicates: duplicates.total,
  }
}
