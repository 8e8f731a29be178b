import { minuteOf } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { listCandidates } from '../assets.ts'
import { freshnesses, type Freshness } from './asset-query.ts'
import { disappearedThisWeek, seenBetween } from './filter-and-sort.ts'
import type { AssetType } from '../observation.ts'
import { observedBy, seenBefore, type SeenBefore } from './many-matches-store.ts'
import { MANY } from './newest-first-store.ts'
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

/** The instants between the classes of freshness, and those of the week before. */
interface Instants {
  readonly now: Date
  readonly starts: readonly Date[]
  readonly week: Date
  readonly fortnight: Date
}

interface Counts {
  readonly bySource: readonly store.SourceCount[]
  /** Last seen since each of `starts`, since a week, since two. */
  readonly seen: readonly number[]
  readonly newThisWeek: number
}

export async function getOverview(ctx: Ctx): Promise<Overview> {
  permit(ctx, 'assets:read')
  const now = minuteOf(ctx)
  const { before: week, from: fortnight } = disappearedThisWeek(now)
  const starts = freshnesses.flatMap((it) => seenBetween(it, now).from ?? [])
  const byType = await store.countTypes(ctx)
  const total = byType.reduce((sum, { count }) => sum + count, 0)
  const [{ bySource, seen, newThisWeek }, duplicates] = await Promise.all([
    countsOf(ctx, total, { now, starts, week, fortnight }),
    listCandidates(ctx, { limit: 1, offset: 0 }),
  ])
  const upTo = [0, ...seen.slice(0, starts.length), total]
  const [sinceWeek = 0, sinceFortnight = 0] = seen.slice(starts.length)
  return {
    total,
    byType,
    bySource,
    byFreshness: freshnesses.map((freshness, at) => ({
      freshness,
      count: withoutThose(upTo[at + 1] ?? 0, upTo[at] ?? 0),
    })),
    newThisWeek,
    goneThisWeek: withoutThose(sinceFortnight, sinceWeek),
    possibleDuplicates: duplicates.total,
  }
}

/** Both are counted by statements of their own, between which assets may come and go. */
const withoutThose = (all: number, some: number): number => Math.max(0, all - some)

/** Where there are more sources, all are counted in one pass. */
const SOURCES_MAX = 20

/** Of many assets what was remembered is brought up to date. */
async function countsOf(ctx: Ctx, total: number, instants: Instants): Promise<Counts> {
  const { cachedMatches, cacheIfAskedAgain } = ctx.db
  const sources = total > MANY ? await store.listSources(ctx) : []
  if (!cachedMatches || sources.length === 0 || sources.length > SOURCES_MAX) return counted(ctx, instants)
  const { now, starts, week, fortnight } = instants
  const before = (column: SeenBefore['column'], instant: Date) =>
    seenBefore(ctx, { column, now, ms: now.getTime() - instant.getTime() })
  const questions = [
    before('first_seen', week),
    ...[...starts, week, fortnight].map((it) => before('last_seen', it)),
    ...sources.map(({ sourceId }) => observedBy(ctx, sourceId)),
  ]
  const known = await Promise.all(questions.map((it) => cachedMatches(it)))
  const totals = known.flatMap((it) => (it ? [it.total] : []))
  if (totals.length < questions.length) {
    for (const it of questions) cacheIfAskedAgain?.(it)
    return counted(ctx, instants)
  }
  const [old = 0, ...others] = totals
  const ages = others.slice(0, starts.length + 2)
  const bySource = sources.map((it, at) => ({ ...it, count: others[ages.length + at] ?? 0 }))
  return {
    bySource: bySource
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count || (a.sourceId < b.sourceId ? -1 : 1)),
    seen: ages.map((it) => withoutThose(total, it)),
    newThisWeek: withoutThose(total, old),
  }
}

async function counted(ctx: Ctx, { starts, week, fortnight }: Instants): Promise<Counts> {
  const [bySource, seen, newThisWeek] = await Promise.all([
    store.countSources(ctx),
    store.countSeenSince(ctx, [...starts, week, fortnight]),
    store.countNew(ctx, week),
  ])
  return { bySource, seen, newThisWeek }
}
