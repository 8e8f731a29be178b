import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { EndpointHealth } from './endpoint-health.ts'

/** Of the tenant's own endpoints, or of one partner's. */
export function health(ctx: Ctx, hours: number, partnerId: string | null = null): Promise<EndpointHealth[]> {
  return ctx.db.all(sql<EndpointHealth>`
    with ended as (
      select endpoint_seq, count(*) filter (where status = 'd') as delivered,
        count(*) filter (where status = 'x') as dead, max(finished_at) filter (where status = 'd') as delivered_at,
        max(array[to_char(finished_at, 'YYYYMMDDHH24MISSUS'), last_error]) filter (where status = 'x') as failed
      from webhook_delivery_log
      where tenant_id = ${ctx.tenantId} and finished_at >= now() - make_interval(hours => ${hours}::int)
      group by endpoint_seq
    ), open as (
      select endpoint_seq, count(*) filter (where attempts > 0) as retrying,
        count(*) filter (where attempts = 0) as waiting, (array_agg(last_error order by id desc)
          filter (where last_error is not null))[1] as error
      from webhook_deliveries where tenant_id = ${ctx.tenantId} group by endpoint_seq
    )
    select e.id as "endpointId", coalesce(d.delivered, 0) as delivered, coalesce(d.dead, 0) as "deadLetters",
      coalesce(o.retrying, 0) as retrying, coalesce(o.waiting, 0) as waiting, d.delivered_at as "lastDeliveredAt",
      coalesce(o.error, d.failed[2]) as "lastError"
    from webhook_endpoints e left join ended d on d.endpoint_seq = e.seq left join open o on o.endpoint_seq = e.seq
    where e.tenant_id = ${ctx.tenantId} and e.partner_id is not distinct from ${partnerId}::uuid
      and e.deleted_at is null order by e.created_at, e.seq`)
}
