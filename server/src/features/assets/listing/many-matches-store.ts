import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Match, MatchQuery } from '#platform/database/db.ts'

/** Questions about living assets that many match, as `Db.cachedMatches` remembers them. */

export interface ManyMatches {
  /** Holds for the asset `a`; names the tables that it reads. */
  readonly holds: RawBuilder<unknown>
  /** All living assets for which it holds, where these are found more quickly than by looking at each asset. */
  readonly ids?: RawBuilder<{ id: string }>
  /** What holds for `a` beside it; as `holds`. */
  readonly beside?: readonly RawBuilder<unknown>[]
}

/** By last_seen descending, then by id descending. */
export function manyMatches(ctx: Ctx, { holds, ids, beside = [] }: ManyMatches): MatchQuery {
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
    first: (some, limit) => firstOf(some ? among(some) : living(holds), limit),
    hasSeveral: false,
  }
}

/** Without their places in the list, which nobody asks of all. */
const matchesWith = (ids: RawBuilder<{ id: string }>) => sql<Match>`
  select found.id as subject, found.id, 0 as place from (${ids}) found`

const firstOf = (matches: RawBuilder<Match>, limit: number) => sql<Match>`
  select subject, id, place from (${matches}) as matching order by rank desc, id desc limit ${limit}`
