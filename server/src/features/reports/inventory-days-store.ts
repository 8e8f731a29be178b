import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { sited } from './kinds/inventory-summary-store.ts'
import type { Places } from './kinds/kind.ts'

/** Writes how many assets the tenant has on the day, in all and by each dimension; what is written stays. */
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
