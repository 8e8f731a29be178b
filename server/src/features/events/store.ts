import { sql } from 'kysely'
import { transactionInstant } from '#platform/database/sql.ts'
import type { Ctx, NewHappening } from '#platform/context.ts'
import { NIL_UUID } from '#platform/uuid.ts'

/**
 * Inserts the events; returns the instant of all of them by the database's clock: id and instant together are the key of
 * an event. With it, who has subscribed to their types.
 */
export async function add(
  ctx: Ctx,
  events: readonly NewHappening[],
): Promise<{ readonly occurredAt: Date; readonly subscribers: ReadonlyMap<string, readonly string[]> }> {
  const ids = events.map((event) => event.eventId)
  const types = events.map((event) => event.type)
  const bodies = events.map((event) => event.body)
  const before = events.map((event) => (event.before ? JSON.stringify(event.before) : null))
  const depth = ctx.cause ? ctx.cause.flowIds.length : null
  const { createdAt, subscribers } = await ctx.db.one(sql<{
    createdAt: string
    subscribers: Readonly<Record<string, readonly string[]>> | null
  }>`
    with added as (
      insert into events (id, tenant_id, type, body, before, cause_run, cause_depth, created_at)
      select e.id, ${ctx.tenantId}, e.type, e.body, e.before, ${ctx.cause?.runId ?? null}::uuid, ${depth}::smallint,
        ${transactionInstant}
      from unnest(${ids}::uuid[], ${types}::text[], ${bodies}::bytea[], ${before}::jsonb[]) as e (id, type, body, before)
      returning created_at
    )
    select created_at as "createdAt", (
      select jsonb_object_agg(s.event_type, s.subscribers) from (
        select event_type, jsonb_agg(subscriber) as subscribers from event_subscriptions
        where tenant_id = ${ctx.tenantId} and event_type = any(${types}::text[]) group by event_type) s
    ) as subscribers
    from added limit 1`)
  return { occurredAt: new Date(createdAt), subscribers: new Map(Object.entries(subscribers ?? {})) }
}

/** The types that the subscriber wants from now on, instead of those before. */
export async function subscribe(ctx: Ctx, subscriber: string, types: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from event_subscriptions where tenant_id = ${ctx.tenantId} and subscriber = ${subscriber}
      and event_type <> all(${[...types]}::text[])`)
  await ctx.db.run(sql`
    insert into event_subscriptions (tenant_id, event_type, subscriber)
    select distinct ${ctx.tenantId}::uuid, t, ${subscriber} from unnest(${[...types]}::text[]) t
    on conflict (tenant_id, event_type, subscriber) do nothing`)
}

/** Creates the daily partitions of the coming days and drops those older than `days`. */
export async function applyRetention(system: Ctx, days: number): Promise<void> {
  await system.db.run(sql`select keep_daily_partitions('events', ${days})`)
}

export interface EventRange {
  readonly types: readonly string[]
  readonly since: Date
  readonly until: Date
}

export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly body: Buffer
  readonly before: Readonly<Record<string, unknown>> | null
  /** RFC 3339 */
  readonly createdAt: string
}

export async function count(ctx: Ctx, { types, since, until }: EventRange): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from events where tenant_id = ${ctx.tenantId} and type = any(${[...types]}::text[])
      and created_at >= ${since} and created_at <= ${until}`)
  return n
}

export function latest(ctx: Ctx, types: readonly string[], limit: number): Promise<StoredEvent[]> {
  return ctx.db.all(sql<StoredEvent>`
    select id, type, body, before, created_at as "createdAt" from events
    where tenant_id = ${ctx.tenantId} and type = any(${[...types]}::text[])
    order by created_at desc, id desc limit ${limit}`)
}

/** The oldest first, behind the one that is given. */
export function after(
  ctx: Ctx,
  { types, since, until }: EventRange,
  ...[last, limit]: [StoredEvent | undefined, number]
): Promise<StoredEvent[]> {
  const from = last ? new Date(last.createdAt) : since
  return ctx.db.all(sql<StoredEvent>`
    select id, type, body, before, created_at as "createdAt" from events
    where tenant_id = ${ctx.tenantId} and type = any(${[...types]}::text[])
      and created_at >= ${from} and created_at <= ${until}
      and (created_at, id) > (${from}, ${last?.id ?? NIL_UUID}::uuid)
    order by created_at, id limit ${limit}`)
}
