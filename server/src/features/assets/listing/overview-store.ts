import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { AssetType } from '../observation.ts'

/** The counts of the overview. */

export interface TypeCount {
  readonly type: AssetType
  readonly count: number
}

export interface AgeCounts {
  readonly byType: readonly TypeCount[]
  /** For each instant, the number of assets last seen since then. */
  readonly seenSince: readonly number[]
  /** First seen since the instant. */
  readonly newSince: number
}

interface Row {
  readonly byType: readonly TypeCount[]
  readonly seen: Ages
  readonly new: Ages
}

/** How many assets there are since the latest of some instants, and earlier. */
interface Ages {
  /** At most `few`. */
  readonly since: number
  /**
   * Between each and the next earlier one, the latest first. The last is before the earliest: null, not counted, if there
   * are fewer than `few` since the latest.
   */
  readonly before: readonly (number | null)[]
}

/** Up to so many are counted before it is decided on which side of the instants to count. */
const FEW = 10_000

/**
 * One statement, so that the counts are of one moment. `seenSince` are later instants first.
 *
 * Most assets of an estate are on one side of all instants: seen within a day, or longer ago than a month. That side is
 * not counted, it is what the total leaves over.
 */
export async function countAges(
  ctx: Ctx,
  { seenSince, newSince }: { readonly seenSince: readonly Date[]; readonly newSince: Date },
  few = FEW,
): Promise<AgeCounts> {
  const row = await ctx.db.one(sql<Row>`
    select ${typeCounts(ctx)} as "byType", ${ages(ctx, 'last_seen', seenSince, few)} as seen,
      ${ages(ctx, 'first_seen', [newSince], few)} as new`)
  const total = row.byType.reduce((sum, { count }) => sum + count, 0)
  const [newSinceThen = 0] = sinceEach(row.new, total)
  return { byType: row.byType, seenSince: sinceEach(row.seen, total), newSince: newSinceThen }
}

const typeCounts = (ctx: Ctx) => sql`(
  select coalesce(json_agg(json_build_object('type', asset_type, 'count', n) order by n desc, asset_type), '[]')
  from asset_counts where tenant_id = ${ctx.tenantId} and n > 0)`

function ages(
  ctx: Ctx,
  column: 'first_seen' | 'last_seen',
  instants: readonly Date[],
  few: number,
): RawBuilder<Ages> {
  const at = sql.ref(`a.${column}`)
  const living = sql`from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null`
  const latest = sql`${living} and ${at} >= ${instants[0]}::timestamptz order by ${at} desc`
  // each count depends on a row, so that none is planned for several processes, whose start takes longer
  return sql<Ages>`(
    select json_build_object('since', few.n, 'before', array(
      select case when each.earlier = '-infinity' and few.n < ${few}::bigint then null
        else (select count(*) ${living} and ${at} >= each.earlier and ${at} < each.later) end
      from unnest(array_append(${instants.slice(1)}::timestamptz[], '-infinity'), ${[...instants]}::timestamptz[])
        with ordinality as each(earlier, later, place) order by each.place))
    from (select count(*) as n from (select ${latest} limit ${few}::bigint) them) few)`
}

/** For each instant, the latest first, how many there are since. */
function sinceEach({ since, before }: Ages, total: number): number[] {
  const counted = before.map((n) => n ?? 0)
  const latest = before.at(-1) === null ? since : total - counted.reduce((sum, n) => sum + n, 0)
  return counted.slice(0, -1).reduce((counts, n) => [...counts, (counts.at(-1) ?? 0) + n], [latest])
}

export interface SourceCount {
  readonly sourceId: string
  readonly kind: string
  readonly name: string
  readonly count: number
}

/** The number of observations of each source, of living assets. */
export function countSources(ctx: Ctx): Promise<SourceCount[]> {
  return ctx.db.all(sql<SourceCount>`
    select c.source_id as "sourceId", s.kind, s.name, c.n - coalesce(archived.n, 0) as count
    from asset_observation_counts c
    join sources s on s.tenant_id = ${ctx.tenantId} and s.id = c.source_id
    left join (
      select o.source_id, count(*) as n from assets a
      join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
      where a.tenant_id = ${ctx.tenantId} and a.archived_at is not null group by o.source_id
    ) archived on archived.source_id = c.source_id
    where c.tenant_id = ${ctx.tenantId} and c.n > coalesce(archived.n, 0)
    order by count desc, c.source_id`)
}
