import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Match, MatchQuery, SubjectId } from '#platform/database/db.ts'

/** Questions about living assets that many match, as `Db.cachedMatches` remembers them. */

export interface ManyMatches {
  /** Holds for the asset `a`; names the tables that it reads. */
  readonly holds: RawBuilder<unknown>
  /** All living assets for which it holds, where these are found more quickly than by looking at each asset. */
  readonly ids?: RawBuilder<{ id: string }>
  /** What holds for `a` beside it; as `holds`. */
  readonly beside?: readonly RawBuilder<unknown>[]
  /** Only the total is wanted. */
  readonly isCounted?: true
}

/** By last_seen descending, then by id descending. */
export function manyMatches(ctx: Ctx, { holds, ids, beside = [], isCounted }: ManyMatches): MatchQuery {
  const living = (...conditions: readonly RawBuilder<unknown>[]) => sql<Match>`
    select a.id as subject, a.id as id, a.last_seen as rank, (extract(epoch from a.last_seen) * 1000000)::bigint as place
    from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null
      and ${sql.join([...beside, ...conditions], sql` and `)}`
  const among = (some: readonly string[]) => living(holds, sql`a.id = any(${[...some]}::uuid[])`)
  const all = ids && beside.length === 0 ? matchesWith(ids) : living(ids ? sql`a.id in (${ids})` : holds)
  return {
    key: among([]),
    among,
    all: async () => all,
    ...(isCounted ? {} : { first: (some, limit) => firstOf(some ? among(some) : living(holds), limit) }),
    hasSeveral: false,
  }
}

/** Without their places in the list, which nobody asks of all. */
const matchesWith = (ids: RawBuilder<{ id: string }>) => sql<Match>`
  select found.id as subject, found.id, 0 as place from (${ids}) found`

const firstOf = (matches: RawBuilder<Match>, limit: number) => sql<Match>`
  select subject, id, place from (${matches}) as matching order by rank desc, id desc limit ${limit}`

type Instant = 'first_seen' | 'last_seen'

export interface SeenBefore {
  readonly column: Instant
  readonly now: Date
  readonly ms: number
}

/** How many were seen longer ago than so many milliseconds. */
export function seenBefore(ctx: Ctx, { column, now, ms }: SeenBefore): MatchQuery {
  const at = sql.ref(`a.${column}`)
  const ago = (from: Date) => new Date(from.getTime() - ms)
  const question = manyMatches(ctx, { holds: sql`${at} < ${ago(now)}`, isCounted: true })
  const anyTime = manyMatches(ctx, {
    holds: sql`${at} < ${new Date(0)} and ${ms}::bigint > 0`,
    isCounted: true,
  })
  return {
    ...question,
    key: anyTime.key,
    at: now,
    moved: (other, limit) => sql<SubjectId>`
      select a.id from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null
        and ${at} >= least(${ago(now)}::timestamptz, ${ago(other)}::timestamptz)
        and ${at} < greatest(${ago(now)}::timestamptz, ${ago(other)}::timestamptz) limit ${limit}`,
  }
}

/** The observations of a source, of living assets. */
export function observedBy(ctx: Ctx, sourceId: string): MatchQuery {
  const observations = (only: RawBuilder<unknown>) => sql<Match>`
    select o.asset_id as subject, o.id as id, 0 as rank, 0 as place from asset_observations o
    where o.tenant_id = ${ctx.tenantId} and o.source_id = ${sourceId} and ${only} and not exists (
      select from assets a where a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and a.archived_at is not null)`
  const among = (ids: readonly string[]) => observations(sql`o.asset_id = any(${[...ids]}::uuid[])`)
  return { key: among([]), among, all: async () => observations(sql`true`), hasSeveral: true }
}
