import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { AssetType } from '../observation.ts'

/** The counts of the overview. */

export function countTypes(ctx: Ctx): Promise<{ type: AssetType; count: number }[]> {
  return ctx.db.all(sql<{ type: AssetType; count: number }>`
    select asset_type as type, sum(n)::bigint as count from asset_counts where tenant_id = ${ctx.tenantId}
    group by asset_type having sum(n) > 0 order by 2 desc, 1`)
}

/** For each instant, the number of assets last seen since then. */
export async function countSeenSince(ctx: Ctx, instants: readonly Date[]): Promise<number[]> {
  const rows = await ctx.db.all(sql<{ n: number }>`
    select (select count(*) from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.last_seen >= since) as n
    from unnest(${[...instants]}::timestamptz[]) with ordinality as it(since, place) order by place`)
  return rows.map(({ n }) => n)
}

export async function countNew(ctx: Ctx, since: Date): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.first_seen >= ${since}`)
  return n
}

export interface SourceCount {
  readonly sourceId: string
  readonly kind: string
  readonly name: string
  readonly count: number
}

/** All that the tenant has ever had. */
export const listSources = (ctx: Ctx): Promise<Omit<SourceCount, 'count'>[]> =>
  ctx.db.all(sql<Omit<SourceCount, 'count'>>`
    select id as "sourceId", kind, name from sources where tenant_id = ${ctx.tenantId} order by id`)

/** The number of observations of each source, of living assets. */
export function countSources(ctx: Ctx): Promise<SourceCount[]> {
  return ctx.db.all(sql<SourceCount>`
    select o.source_id as "sourceId", s.kind, s.name, o.n as count
    from (select source_id, count(*) as n from asset_observations x
      where x.tenant_id = ${ctx.tenantId} and not exists (select from assets a
        where a.tenant_id = ${ctx.tenantId} and a.id = x.asset_id and a.archived_at is not null)
      group by source_id) o
    join sources s on s.id = o.source_id and s.tenant_id = ${ctx.tenantId} order by o.n desc, o.source_id`)
}
