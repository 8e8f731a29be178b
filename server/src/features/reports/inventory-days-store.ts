import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { sited } from './kinds/inventory-summary-store.ts'
import type { Places } from './kinds/kind.ts'

/** Writes how many assets and open findings the tenant has on the day, by each dimension; what is written stays. */
export async function writeDay(ctx: Ctx, day: string, places: Places): Promise<void> {
  await ctx.db.run(sql`
    with sited as materialized (${sited({ ctx, places })})
    insert into inventory_days (tenant_id, day, dimension, value, count)
    select ${ctx.tenantId}, ${day}::date, found.dimension, left(found.value, 512), sum(found.n)
    from (
      select case grouping(a.asset_type, a.device_type, a.vendor, a.os)
          when 15 then 'total' when 7 then 'type' when 11 then 'device_type' when 13 then 'vendor' else 'os' end
        as dimension,
        coalesce(a.asset_type, a.device_type, a.vendor, a.os, '') as value, count(*) as n
      from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null
      group by grouping sets ((), (a.asset_type), (a.device_type), (a.vendor), (a.os))
      union all
      select 'open_findings', '', coalesce(sum(c.n), 0) from finding_counts c
      where c.tenant_id = ${ctx.tenantId} and c.status = 'open'
      union all
      select 'source', o.source_kind, count(distinct o.asset_id)
      from asset_observations o
      join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and a.archived_at is null
      where o.tenant_id = ${ctx.tenantId} group by o.source_kind
      union all
      select 'site', coalesce(s.site, ''), count(*)
      from assets a left join sited s on s.asset_id = a.id
      where a.tenant_id = ${ctx.tenantId} and a.archived_at is null group by s.site
    ) found
    where not exists (
      select from inventory_days d
      where d.tenant_id = ${ctx.tenantId} and d.day = ${day}::date and d.dimension = 'total')
    group by found.dimension, left(found.value, 512)
    on conflict (tenant_id, day, dimension, value) do nothing`)
}

export interface NightlyCount {
  readonly day: string
  readonly assets: number
  /** Null: not counted that night. */
  readonly openFindings: number | null
}

/** The oldest first. */
export function nightsSince(ctx: Ctx, since: string): Promise<NightlyCount[]> {
  return ctx.db.all(sql<NightlyCount>`
    select d.day::text as day, (sum(d.count) filter (where d.dimension = 'total'))::bigint as assets,
      (sum(d.count) filter (where d.dimension = 'open_findings'))::bigint as "openFindings"
    from inventory_days d
    where d.tenant_id = ${ctx.tenantId} and d.day >= ${since}::date and d.dimension in ('total', 'open_findings')
    group by d.day having count(*) filter (where d.dimension = 'total') > 0 order by d.day`)
}

/** Of the first night that was counted; null: none was. */
export async function firstNight(ctx: Ctx): Promise<string | null> {
  const { first } = await ctx.db.one(sql<{ first: string | null }>`
    select min(d.day)::text as first from inventory_days d where d.tenant_id = ${ctx.tenantId} and d.dimension = 'total'`)
  return first
}
