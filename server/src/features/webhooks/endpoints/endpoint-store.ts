import { sql } from 'kysely'
import { readPage } from '#platform/conditions/lists/total-of-page.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import { transactionInstant } from '#platform/database/sql.ts'
import type { Ctx, Happening, NewHappening } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Endpoint, EndpointFields } from './endpoint.ts'

export interface SealedSecret {
  readonly sealed: Buffer
  readonly prefix: string
}

/** Null without custom headers. */
export interface SealedHeaders {
  readonly sealed: Buffer | null
  readonly names: readonly string[]
}

export interface Sealed {
  readonly url: string
  readonly secretSealed: Buffer
  readonly headersSealed: Buffer | null
}

const columns = sql`id, name, url, event_types as events, active, disabled_reason as "disabledReason",
  secret_prefix as "secretPrefix", header_names as "headerNames", max_in_flight as "maxInFlight",
  max_rate as "maxRate", auto_disable_days as "autoDisableDays", created_at as "createdAt", updated_at as "updatedAt"`

/** Whose endpoints are meant: those of one partner; the tenant's own unless given. */
export type Owner = string | null

const isOwnedBy = (owner: Owner) => sql`partner_id is not distinct from ${owner}::uuid and deleted_at is null`

const isMine = (ctx: Ctx, id: string, owner: Owner = null) =>
  sql`tenant_id = ${ctx.tenantId} and id = ${id} and ${isOwnedBy(owner)}`

/** For commands that are given only the id: looks in all tenants. */
export async function tenantOf(system: Ctx, id: string): Promise<string | undefined> {
  const found = await system.db.maybe(sql<{ tenant_id: string }>`
    select tenant_id from webhook_endpoints where id = ${id} and ${isOwnedBy(null)}`)
  return found?.tenant_id
}

export function endpoints(ctx: Ctx): Promise<Endpoint[]> {
  return ctx.db.all(sql<Endpoint>`
    select ${columns} from webhook_endpoints where tenant_id = ${ctx.tenantId} and ${isOwnedBy(null)}
    order by created_at, seq`)
}

/** Newest first. */
export function endpointsOfPartner(ctx: Ctx, partnerId: string, page: Page): Promise<Listed<Endpoint>> {
  return readPage(ctx, page, {
    items: sql`
      select ${columns} from webhook_endpoints where tenant_id = ${ctx.tenantId} and ${isOwnedBy(partnerId)}
      order by created_at desc, seq desc limit ${page.limit} offset ${page.offset}`,
    total: sql`
      select count(*) as total from webhook_endpoints where tenant_id = ${ctx.tenantId} and ${isOwnedBy(partnerId)}`,
  })
}

/** Locks the count until the end of the transaction, so that concurrent calls cannot exceed the maximum. */
export async function countEndpoints(ctx: Ctx, owner: Owner = null): Promise<number> {
  await ctx.db.run(lockOfTenant('receivers', ctx.tenantId))
  const { count } = await ctx.db.one(sql<{ count: number }>`
    select count(*) as count from webhook_endpoints where tenant_id = ${ctx.tenantId} and ${isOwnedBy(owner)}`)
  return count
}

export function endpoint(ctx: Ctx, id: string, owner: Owner = null): Promise<Endpoint | undefined> {
  return ctx.db.maybe(sql<Endpoint>`select ${columns} from webhook_endpoints where ${isMine(ctx, id, owner)}`)
}

export function sealed(ctx: Ctx, id: string, owner: Owner = null): Promise<Sealed | undefined> {
  return ctx.db.maybe(sql<Sealed>`
    select url, secret_sealed as "secretSealed", headers_sealed as "headersSealed"
    from webhook_endpoints where ${isMine(ctx, id, owner)}`)
}

const TEST_WINDOW_SECONDS = 60

/** Counts a test in the current minute, across all nodes; returns the number so far and the seconds left. */
export function countTest(
  ctx: Ctx,
  id: string,
  owner: Owner = null,
): Promise<{ used: number; secondsLeft: number } | undefined> {
  return ctx.db.maybe(sql<{ used: number; secondsLeft: number }>`
    update webhook_endpoints set
      tests_used = case when tests_end_at <= now() then 1 else least(tests_used + 1, 32767) end,
      tests_end_at = case when tests_end_at <= now() then now() + make_interval(secs => ${TEST_WINDOW_SECONDS})
        else tests_end_at end
    where ${isMine(ctx, id, owner)}
    returning tests_used as used, extract(epoch from tests_end_at - now())::float8 as "secondsLeft"`)
}

interface Sealing {
  readonly secret: SealedSecret
  readonly headers: SealedHeaders
  readonly owner?: Owner
}

export function addEndpoint(
  ctx: Ctx,
  id: string,
  fields: EndpointFields,
  { secret, headers, owner = null }: Sealing,
): Promise<Endpoint> {
  const { name, url, events, active, maxInFlight, maxRate, autoDisableDays } = fields
  return ctx.db.one(sql<Endpoint>`
    insert into webhook_endpoints (id, tenant_id, partner_id, name, url, event_types, active, active_since, pauses, secret_sealed,
      secret_prefix, headers_sealed, header_names, max_in_flight, max_rate, auto_disable_days)
    values (${id}, ${ctx.tenantId}, ${owner}, ${name}, ${url}, ${events}::text[], ${active},
      case when ${active} then now() end,
      case when ${active} then '{}' else tstzmultirange(tstzrange(now(), null)) end,
      ${secret.sealed}, ${secret.prefix}, ${headers.sealed}, ${headers.names}::text[],
      ${maxInFlight}, ${maxRate}, ${autoDisableDays})
    returning ${columns}`)
}

export interface EndpointEdit extends Partial<EndpointFields> {
  readonly headers?: SealedHeaders
}

/** Deliveries of an inactive endpoint are parked (run_at = infinity), and due immediately when it is active again. */
export async function changeEndpoint(
  ctx: Ctx,
  id: string,
  changes: EndpointEdit,
): Promise<Endpoint | undefined> {
  const { headers } = changes
  const changed = await ctx.db.maybe(sql<Endpoint>`
    update webhook_endpoints set
      name = coalesce(${changes.name ?? null}, name),
      url = coalesce(${changes.url ?? null}, url),
      event_types = coalesce(${changes.events ?? null}::text[], event_types),
      max_in_flight = ${changedTo('max_in_flight', changes.maxInFlight)},
      max_rate = ${changedTo('max_rate', changes.maxRate)},
      auto_disable_days = ${changedTo('auto_disable_days', changes.autoDisableDays)},
      headers_sealed = ${changedTo('headers_sealed', headers?.sealed)},
      header_names = coalesce(${headers?.names ?? null}::text[], header_names),
      updated_at = now()
    where ${isMine(ctx, id)} returning ${columns}`)
  if (!changed || changes.active === undefined) return changed
  return (await setEndpointActive(ctx, id, { active: changes.active, reason: null })) ?? changed
}

interface Switch {
  readonly active: boolean
  readonly reason: string | null
  readonly owner?: Owner
}

/** Undefined when it had this state already. */
export async function setEndpointActive(
  ctx: Ctx,
  id: string,
  { active, reason, owner = null }: Switch,
): Promise<Endpoint | undefined> {
  const switched = await ctx.db.maybe(sql<Endpoint>`
    update webhook_endpoints set active = ${active}, disabled_reason = ${reason}, updated_at = now(),
      active_since = case when ${active} then now() end,
      pauses = case when ${active} then pauses * tstzmultirange(tstzrange(null, now()))
        else pauses + tstzmultirange(tstzrange(now(), null)) end
    where ${isMine(ctx, id, owner)} and active <> ${active} returning ${columns}`)
  await ctx.db.run(sql`
    update webhook_deliveries d
    set run_at = case when e.active then clock_timestamp() else 'infinity' end
    from webhook_endpoints e
    where d.endpoint_seq = e.seq and d.tenant_id = ${ctx.tenantId} and e.id = ${id} and d.status in ('p', 'f')
      and e.active = (d.run_at = 'infinity')`)
  return switched
}

export interface Failing {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  readonly url: string
  readonly days: number
  readonly deadLetters: number
}

/** Endpoints of all tenants, locked: active for `autoDisableDays` without a success. */
export function failing(system: Ctx, deadLettersMin: number): Promise<Failing[]> {
  return system.db.all(sql<Failing>`
    select e.id, e.tenant_id as "tenantId", e.name, e.url, e.auto_disable_days as days, log.count as "deadLetters"
    from webhook_endpoints e
    cross join lateral (
      select count(*) as count from webhook_delivery_log l
      where l.endpoint_seq = e.seq and l.status = 'x'
        and l.finished_at > now() - make_interval(days => e.auto_disable_days)
    ) log
    where e.active and e.deleted_at is null and e.active_since <= now() - make_interval(days => e.auto_disable_days)
      and log.count >= ${deadLettersMin}
      and not exists (
        select from webhook_delivery_log l
        where l.endpoint_seq = e.seq and l.status = 'd'
          and l.finished_at > now() - make_interval(days => e.auto_disable_days))
    order by e.seq for update of e`)
}

/** Undefined: unchanged; null is a value. */
const changedTo = (column: string, value: number | Buffer | null | undefined) =>
  value === undefined ? sql.ref(column) : sql`${value}`

export function changeSecret(ctx: Ctx, id: string, secret: SealedSecret): Promise<Endpoint | undefined> {
  return ctx.db.maybe(sql<Endpoint>`
    update webhook_endpoints
    set secret_sealed = ${secret.sealed}, secret_prefix = ${secret.prefix}, updated_at = now()
    where ${isMine(ctx, id)} returning ${columns}`)
}

/** Deletes the secret and pending deliveries; the delivery log stays until its retention ends. */
export async function removeEndpoint(ctx: Ctx, id: string, owner: Owner = null): Promise<boolean> {
  const removed = await ctx.db.maybe(sql<{ seq: number }>`
    update webhook_endpoints
    set deleted_at = now(), active = false, secret_sealed = '', secret_prefix = '', headers_sealed = null,
      updated_at = now()
    where ${isMine(ctx, id, owner)} returning seq`)
  if (!removed) return false
  await ctx.db.run(sql`
    delete from webhook_deliveries
    where tenant_id = ${ctx.tenantId} and endpoint_seq = ${removed.seq} and status in ('p', 'f')`)
  return true
}

/** Returns the number of deliveries created. */
export function addDeliveries(ctx: Ctx, happenings: readonly NewHappening[]): Promise<number> {
  const ids = happenings.map((it) => it.eventId)
  const types = happenings.map((it) => it.type)
  return ctx.db.run(sql`
    insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq)
    select e.tenant_id, h.id, ${transactionInstant}, h.type, e.seq
    from unnest(${ids}::uuid[], ${types}::text[]) as h (id, type)
    join webhook_endpoints e on e.tenant_id = ${ctx.tenantId} and e.active and e.deleted_at is null
      and h.type = any(e.event_types)`)
}

/** To this endpoint alone, whatever its event types. */
export async function addDeliveryTo(
  ctx: Ctx,
  endpointId: string,
  message: Pick<Happening, 'eventId' | 'type' | 'occurredAt'>,
): Promise<void> {
  await ctx.db.run(sql`
    insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq)
    select e.tenant_id, ${message.eventId}, ${message.occurredAt}, ${message.type}, e.seq
    from webhook_endpoints e where e.tenant_id = ${ctx.tenantId} and e.id = ${endpointId} and e.deleted_at is null`)
}

/**
 * Creates the daily partitions of the coming days; deletes older partitions, finished replays and deleted endpoints.
 */
export async function applyRetention(system: Ctx, retentionDays: number): Promise<void> {
  const old = sql`now() - make_interval(days => ${retentionDays})`
  await system.db.run(sql`
    select keep_daily_partitions('webhook_delivery_log', ${retentionDays}), keep_daily_partitions('webhook_attempts', ${retentionDays})`)
  await system.db.run(sql`delete from webhook_replays where finished_at < ${old}`)
  await system.db.run(sql`delete from webhook_endpoints where deleted_at < ${old}`)
}
