import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed } from '#platform/http/paging.ts'
import type { Attempt, Delivery, DeliveryFilter, Missed } from './delivery-record.ts'

const STATUS_NAMES = sql`case status when 'p' then 'Pending' when 'r' then 'Processing' when 'f' then 'Failed'
  when 'd' then 'Delivered' else 'Dead letter' end`

/** Pending and finished deliveries of one tenant, in one shape. */
const all = (ctx: Ctx) => sql`(
  select id, endpoint_seq, event_id, event_created_at, event_type, ${STATUS_NAMES} as status, attempts, last_error,
    replay_of, created_at, case when status <> 'r' and isfinite(run_at) then run_at end as next_attempt_at,
    null::timestamptz as finished_at
  from webhook_deliveries where tenant_id = ${ctx.tenantId}
  union all
  select id, endpoint_seq, event_id, event_created_at, event_type, ${STATUS_NAMES}, attempts, last_error,
    replay_of, created_at, null, finished_at
  from webhook_delivery_log where tenant_id = ${ctx.tenantId}
)`

/** The deliveries in `d`, with event and endpoint. */
const asDelivery = (ctx: Ctx, d: ReturnType<typeof sql>) => sql<Delivery>`
  select d.id::text, e.id as "endpointId", d.event_id as "eventId", d.event_type as "eventType",
    d.status::text as status, d.attempts, d.last_error as "lastError", d.replay_of::text as "replayOf",
    d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt",
    convert_from(v.body, 'UTF8')::json as payload
  from ${d} d
  join webhook_endpoints e on e.tenant_id = ${ctx.tenantId} and e.seq = d.endpoint_seq and e.partner_id is null
  left join events v on v.created_at = d.event_created_at and v.id = d.event_id and v.tenant_id = ${ctx.tenantId}
  order by d.created_at desc, d.id desc`

/** Newest first. */
export async function deliveries(ctx: Ctx, filter: DeliveryFilter): Promise<Listed<Delivery>> {
  const { endpointId, status, eventType, since, limit, offset } = filter
  const seqs = sql`select seq from webhook_endpoints
    where tenant_id = ${ctx.tenantId} and partner_id is null and (${endpointId ?? null}::uuid is null or id = ${endpointId ?? null})`
  const matching = sql`
    select * from ${all(ctx)} d
    where endpoint_seq = any(array(${seqs}))
      and (${status ?? null}::text is null or status = ${status ?? null})
      and (${eventType ?? null}::text is null or event_type = ${eventType ?? null})
      and (${since ?? null}::timestamptz is null or created_at >= ${since ?? null})`
  const items = await ctx.db.all(
    asDelivery(ctx, sql`(${matching} order by created_at desc, id desc limit ${limit} offset ${offset})`),
  )
  const { total } = await ctx.db.one(sql<{ total: number }>`select count(*) as total from (${matching}) d`)
  return { items, total }
}

export function delivery(ctx: Ctx, id: string): Promise<Delivery | undefined> {
  return ctx.db.maybe(asDelivery(ctx, sql`(select * from ${all(ctx)} a where id = ${id})`))
}

/** For commands that are given only the id: looks in all tenants. */
export async function tenantOf(system: Ctx, id: string): Promise<string | undefined> {
  const found = await system.db.maybe(sql<{ tenant_id: string }>`
    select tenant_id from webhook_deliveries where id = ${id}
    union all select tenant_id from webhook_delivery_log where id = ${id} limit 1`)
  return found?.tenant_id
}

type StoredAttempt = Omit<Attempt, 'excerpt'> & { readonly excerpt: Buffer | null }

/** Oldest first. */
export function attempts(ctx: Ctx, deliveryId: string): Promise<StoredAttempt[]> {
  return ctx.db.all(sql<StoredAttempt>`
    select n, started_at as "startedAt", ms, phase, status, fault, excerpt from webhook_attempts
    where tenant_id = ${ctx.tenantId} and delivery_id = ${deliveryId}
    union all
    select attempts, finished_at - make_interval(secs => ms / 1000.0), ms, phase, http_status, null, excerpt
    from webhook_delivery_log where tenant_id = ${ctx.tenantId} and id = ${deliveryId} and ms is not null
    order by 2, 1`)
}

/**
 * A transaction that was open when an endpoint was disabled may write events afterwards, with the instant at which it
 * began. Events with a delivery are left out in any case.
 */
const OPEN_SECONDS = 120

/** Events of periods in which endpoints were disabled, without a delivery, newest first. */
export async function missed(ctx: Ctx, filter: Omit<DeliveryFilter, 'status'>): Promise<Listed<Missed>> {
  const { endpointId, eventType, since, limit, offset } = filter
  const matching = sql`
    select e.id as endpoint_id, v.id, v.type, v.body, v.created_at
    from webhook_endpoints e
    join events v on v.tenant_id = ${ctx.tenantId} and v.type = any(e.event_types)
      and (e.pauses @> v.created_at or e.pauses @> v.created_at + make_interval(secs => ${OPEN_SECONDS}))
      and v.created_at >= date_trunc('milliseconds', e.created_at) -- events have whole milliseconds
    where e.tenant_id = ${ctx.tenantId} and e.partner_id is null and e.deleted_at is null
      and (${endpointId ?? null}::uuid is null or e.id = ${endpointId ?? null})
      and (${eventType ?? null}::text is null or v.type = ${eventType ?? null})
      and (${since ?? null}::timestamptz is null or v.created_at >= ${since ?? null})
      and not exists (select from webhook_deliveries d where d.endpoint_seq = e.seq and d.event_id = v.id)
      and not exists (select from webhook_delivery_log l where l.endpoint_seq = e.seq and l.event_id = v.id
        and l.event_created_at = v.created_at)`
  const items = await ctx.db.all(sql<Missed>`
    select endpoint_id as "endpointId", id as "eventId", type as "eventType",
      convert_from(body, 'UTF8')::json as payload, created_at as "occurredAt"
    from (${matching} order by v.created_at desc, v.id limit ${limit} offset ${offset}) m
    order by created_at desc, id`)
  const { total } = await ctx.db.one(sql<{ total: number }>`select count(*) as total from (${matching}) m`)
  return { items, total }
}
