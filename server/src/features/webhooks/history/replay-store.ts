import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Replay, ReplayRequest } from './replay-request.ts'

const columns = sql`r.id, e.id as "endpointId", r.since, r.until, r.only_missed as "onlyMissed", r.deliveries,
  r.created_at as "createdAt", r.finished_at as "finishedAt"`

/** Longer than the retention of events. A replay starts no earlier than this, nor before the tenant's first event. */
const LOOKBACK_MAX = '60 days'

/** Returns the new delivery's id; undefined when the event is older than the retention. */
export async function redeliver(ctx: Ctx, deliveryId: string): Promise<string | undefined> {
  const made = await ctx.db.maybe(sql<{ id: string }>`
    insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq, replay_of)
    select d.tenant_id, d.event_id, d.event_created_at, d.event_type, d.endpoint_seq, d.id
    from (
      select id, tenant_id, event_id, event_created_at, event_type, endpoint_seq from webhook_deliveries
      where tenant_id = ${ctx.tenantId} and id = ${deliveryId}
      union all
      select id, tenant_id, event_id, event_created_at, event_type, endpoint_seq from webhook_delivery_log
      where tenant_id = ${ctx.tenantId} and id = ${deliveryId}
    ) d
    join events v on v.created_at = d.event_created_at and v.id = d.event_id and v.tenant_id = ${ctx.tenantId}
    returning id::text`)
  return made?.id
}

/** Locks a pending delivery, so that its status cannot change until the transaction ends. */
export async function lockDelivery(ctx: Ctx, deliveryId: string): Promise<void> {
  await ctx.db.run(sql`
    select from webhook_deliveries where tenant_id = ${ctx.tenantId} and id = ${deliveryId} for update`)
}

/** `until` is now unless given: later events are delivered anyway. */
export function addReplay(ctx: Ctx, id: string, request: ReplayRequest): Promise<Replay> {
  const { endpointId, since, until, onlyMissed } = request
  return ctx.db.one(sql<Replay>`
    with r as (
      insert into webhook_replays (id, tenant_id, endpoint_seq, since, until, only_missed, cursor_at)
      select ${id}, tenant_id, seq, ${since}, least(${until ?? null}::timestamptz, clock_timestamp()), ${onlyMissed},
        greatest(${since}, now() - ${LOOKBACK_MAX}::interval,
          (select min(created_at) from events where tenant_id = ${ctx.tenantId}))
      from webhook_endpoints where tenant_id = ${ctx.tenantId} and id = ${endpointId} and deleted_at is null
      returning *
    )
    select ${columns} from r join webhook_endpoints e on e.seq = r.endpoint_seq`)
}

/** Newest first. */
export function replays(ctx: Ctx, endpointId: string): Promise<Replay[]> {
  return ctx.db.all(sql<Replay>`
    select ${columns} from webhook_replays r
    join webhook_endpoints e on e.seq = r.endpoint_seq and e.tenant_id = ${ctx.tenantId}
    where r.tenant_id = ${ctx.tenantId} and e.id = ${endpointId} order by r.created_at desc`)
}

/**
 * Pending deliveries of one endpoint above which the replay pauses, so that it fills neither the table nor a slot of
 * the queue.
 */
const BACKLOG_MAX = 10_000

export async function hasFullBacklog(ctx: Ctx, replayId: string): Promise<boolean> {
  const { count } = await ctx.db.one(sql<{ count: number }>`
    select count(*) as count from (
      select from webhook_deliveries d
      where d.tenant_id = ${ctx.tenantId} and d.status in ('p', 'f') and d.endpoint_seq =
        (select endpoint_seq from webhook_replays where tenant_id = ${ctx.tenantId} and id = ${replayId})
      limit ${BACKLOG_MAX}
    ) d`)
  return count >= BACKLOG_MAX
}

const CHUNK = 500
/** Limits the events that one statement scans, where few of them match. */
const SLICE = '1 hour'

export interface ReplayProgress {
  readonly isDone: boolean
  readonly added: number
}

/**
 * Creates deliveries for the next chunk of events and advances the cursor, in one transaction. Events with a pending
 * delivery are skipped. Undefined when the replay is finished or the endpoint is deleted.
 */
export function replayNextChunk(ctx: Ctx, replayId: string): Promise<ReplayProgress | undefined> {
  return ctx.db.transaction(async (db) => {
    await lockReplays({ ...ctx, db }, replayId)
    return addNextChunk({ ...ctx, db }, replayId)
  })
}

/** Those of the same endpoint, so that each sees what the others have created. */
async function lockReplays(ctx: Ctx, replayId: string): Promise<void> {
  await ctx.db.run(sql`
    select from webhook_replays
    where tenant_id = ${ctx.tenantId} and finished_at is null and endpoint_seq =
      (select endpoint_seq from webhook_replays where tenant_id = ${ctx.tenantId} and id = ${replayId})
    order by id for update`)
}

async function addNextChunk(ctx: Ctx, replayId: string): Promise<ReplayProgress | undefined> {
  const step = await ctx.db.maybe(sql<ReplayProgress>`
    with r as materialized (
      select r.*, e.event_types from webhook_replays r
      join webhook_endpoints e on e.seq = r.endpoint_seq and e.deleted_at is null
      where r.tenant_id = ${ctx.tenantId} and r.id = ${replayId} and r.finished_at is null
      for update of r
    ), slice as (
      select *, least(cursor_at + ${SLICE}::interval, until) as ends_at from r
    ), chunk as materialized (
      select v.id, v.created_at, v.type from slice s
      cross join lateral (
        select id, created_at, type from events
        where tenant_id = ${ctx.tenantId} and created_at >= s.since
          and (created_at, id) > (s.cursor_at, s.cursor_id) and created_at < s.ends_at
          and type = any(s.event_types)
        order by created_at, id limit ${CHUNK}
      ) v
    ), earlier as materialized (
      select l.event_id, max(l.id) as id, bool_or(l.status = 'd') as was_delivered
      from (select min(created_at) as first, max(created_at) as last from chunk) c, r, webhook_delivery_log l
      where l.tenant_id = ${ctx.tenantId} and l.endpoint_seq = r.endpoint_seq and l.finished_at >= c.first
        and l.event_created_at between c.first and c.last
      group by l.event_id
    ), waiting as materialized (
      select event_id from r, webhook_deliveries d
      where d.tenant_id = ${ctx.tenantId} and d.endpoint_seq = r.endpoint_seq
    ), added as (
      insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq, replay_of)
      select ${ctx.tenantId}, c.id, c.created_at, c.type, r.endpoint_seq, earlier.id
      from chunk c cross join r
      left join earlier on earlier.event_id = c.id
      where not (r.only_missed and coalesce(earlier.was_delivered, false))
        and c.id not in (select event_id from waiting)
      order by c.created_at, c.id
      returning 1
    ), ends as (
      select (select count(*) from chunk) < ${CHUNK} as is_through, (select count(*) from added)::int as added,
        (select created_at from chunk order by created_at desc, id desc limit 1) as last_at,
        (select id from chunk order by created_at desc, id desc limit 1) as last_id
    )
    update webhook_replays w set
      cursor_at = case when is_through then slice.ends_at else last_at end,
      cursor_id = case when is_through then '00000000-0000-0000-0000-000000000000' else last_id end,
      deliveries = w.deliveries + added,
      finished_at = case when is_through and slice.ends_at >= slice.until then clock_timestamp() end
    from ends, slice where w.id = slice.id
    returning w.finished_at is not null as "isDone", added`)
  return step
}
