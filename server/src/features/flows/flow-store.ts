import { sql } from 'kysely'
import type { EventType } from '#features/events/events.ts'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import { readPage } from '#platform/conditions/lists/total-of-page.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Definition, Flow, FlowVersion, TriggerKind } from './flow.ts'

const columns = (ctx: Ctx) => sql`f.id, f.name, f.description, f.enabled, f.paused_reason as "pausedReason",
  f.trigger_kind as "triggerKind", f.published_version as "publishedVersion",
  f.last_triggered_at as "lastTriggeredAt", f.created_at as "createdAt", f.updated_at as "updatedAt",
  (select v.definition from flow_versions v where v.tenant_id = ${ctx.tenantId} and v.flow_id = f.id
   order by v.n = f.published_version desc nulls last, v.n desc limit 1) as definition`

const versionColumns = sql`v.flow_id as "flowId", v.n, v.state, v.definition, v.run_as as "runAs",
  v.published_at as "publishedAt", v.created_at as "createdAt"`

/** Newest first, without archived ones. */
export function list(ctx: Ctx, page: Page): Promise<Listed<Flow>> {
  return readPage(ctx, page, {
    items: sql`
      select ${columns(ctx)} from flows f where f.tenant_id = ${ctx.tenantId} and f.archived_at is null
      order by f.created_at desc, f.id desc limit ${page.limit} offset ${page.offset}`,
    total: sql`select count(*) as total from flows f where f.tenant_id = ${ctx.tenantId} and f.archived_at is null`,
  })
}

/** The definitions that are in force or being written, of flows that are not archived. */
export function draftAndPublished(
  ctx: Ctx,
): Promise<{ readonly id: string; readonly name: string; readonly definition: Definition }[]> {
  return ctx.db.all(sql`
    select f.id, f.name, v.definition from flows f
    join flow_versions v on v.tenant_id = ${ctx.tenantId} and v.flow_id = f.id and v.state in ('draft', 'published')
    where f.tenant_id = ${ctx.tenantId} and f.archived_at is null order by f.name, f.id, v.n`)
}

export function find(ctx: Ctx, id: string): Promise<Flow | undefined> {
  return ctx.db.maybe(sql<Flow>`
    select ${columns(ctx)} from flows f
    where f.tenant_id = ${ctx.tenantId} and f.id = ${id} and f.archived_at is null`)
}

/** As `find`, and nobody else changes it until the end of the transaction. */
export function lock(ctx: Ctx, id: string): Promise<Flow | undefined> {
  return ctx.db.maybe(sql<Flow>`
    select ${columns(ctx)} from flows f
    where f.tenant_id = ${ctx.tenantId} and f.id = ${id} and f.archived_at is null for update`)
}

export interface NewFlow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly triggerKind: TriggerKind
}

export async function add(ctx: Ctx, flow: NewFlow): Promise<void> {
  await ctx.db.run(sql`
    insert into flows (tenant_id, id, name, normalized_name, description, trigger_kind, created_at, updated_at)
    values (${ctx.tenantId}, ${flow.id}, ${flow.name}, ${normalizeText(flow.name)}, ${flow.description},
            ${flow.triggerKind}, ${ctx.now()}, ${ctx.now()})`)
}

export async function rename(
  ctx: Ctx,
  { id, name, description }: Omit<NewFlow, 'triggerKind'>,
): Promise<void> {
  await ctx.db.run(sql`
    update flows set name = ${name}, normalized_name = ${normalizeText(name)}, description = ${description},
      updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** In place of the draft, if there is one. */
export async function saveDraft(ctx: Ctx, flowId: string, definition: Definition): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    insert into flow_versions (tenant_id, flow_id, n, state, definition, created_at)
    values (${ctx.tenantId}, ${flowId}, 1 + coalesce(
      (select max(v.n) from flow_versions v where v.tenant_id = ${ctx.tenantId} and v.flow_id = ${flowId}), 0),
      'draft', ${JSON.stringify(definition)}::jsonb, ${ctx.now()})
    on conflict (tenant_id, flow_id) where state = 'draft'
      do update set definition = excluded.definition, created_at = excluded.created_at
    returning n`)
  await ctx.db.run(sql`
    update flows set updated_at = ${ctx.now()},
      trigger_kind = case when published_version is null then ${definition.trigger.kind} else trigger_kind end
    where tenant_id = ${ctx.tenantId} and id = ${flowId}`)
  return n
}

export function versions(ctx: Ctx, flowId: string): Promise<FlowVersion[]> {
  return ctx.db.all(sql<FlowVersion>`
    select ${versionColumns} from flow_versions v
    where v.tenant_id = ${ctx.tenantId} and v.flow_id = ${flowId} order by v.n desc`)
}

export function version(ctx: Ctx, flowId: string, n: number): Promise<FlowVersion | undefined> {
  return ctx.db.maybe(sql<FlowVersion>`
    select ${versionColumns} from flow_versions v
    where v.tenant_id = ${ctx.tenantId} and v.flow_id = ${flowId} and v.n = ${n}`)
}

export interface Publication {
  readonly flowId: string
  readonly n: number
  readonly triggerKind: TriggerKind
  readonly runAs: string | null
}

/** The draft becomes the version that runs start from; the flow is off until somebody switches it on. */
export async function publish(ctx: Ctx, { flowId, n, triggerKind, runAs }: Publication): Promise<void> {
  await ctx.db.run(sql`
    update flow_versions set state = 'retired'
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} and state = 'published'`)
  await ctx.db.run(sql`
    update flow_versions set state = 'published', run_as = ${runAs}, published_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} and n = ${n}`)
  await ctx.db.run(sql`
    update flows set published_version = ${n}, trigger_kind = ${triggerKind}, updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${flowId}`)
}

export interface Switch {
  readonly flowId: string
  readonly enabled: boolean
  readonly pausedReason: string | null
  /** What starts it while it is on. */
  readonly eventTypes: readonly EventType[]
}

export async function setEnabled(ctx: Ctx, to: Switch): Promise<void> {
  await ctx.db.run(sql`
    update flows set enabled = ${to.enabled}, paused_reason = ${to.pausedReason}, next_at = null,
      failures_in_a_row = 0, updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${to.flowId}`)
  await ctx.db.run(sql`
    delete from flow_event_triggers where tenant_id = ${ctx.tenantId} and flow_id = ${to.flowId}`)
  await ctx.db.run(sql`
    insert into flow_event_triggers (tenant_id, event_type, flow_id)
    select ${ctx.tenantId}, t, ${to.flowId} from unnest(${[...to.eventTypes]}::text[]) t`)
}

export async function archive(ctx: Ctx, flowId: string): Promise<void> {
  await ctx.db.run(sql`
    update flows set archived_at = ${ctx.now()} where tenant_id = ${ctx.tenantId} and id = ${flowId}`)
}

/** The event types that start some enabled flow of the tenant. */
export async function awaitedEvents(ctx: Ctx): Promise<EventType[]> {
  const rows = await ctx.db.all(sql<{ type: EventType }>`
    select distinct event_type as type from flow_event_triggers where tenant_id = ${ctx.tenantId}`)
  return rows.map(({ type }) => type)
}

export interface DueFlow {
  readonly version: number
  readonly definition: Definition
}

/** The flow if it is on and due at that time; locked until the end of the transaction. */
export function lockDue(ctx: Ctx, flowId: string, dueAt: Date): Promise<DueFlow | undefined> {
  return ctx.db.maybe(sql<DueFlow>`
    select v.n as version, v.definition
    from flows f join flow_versions v on v.flow_id = f.id and v.n = f.published_version
    where f.tenant_id = ${ctx.tenantId} and v.tenant_id = ${ctx.tenantId} and f.id = ${flowId}
      and f.enabled and f.next_at = ${dueAt}
    for update of f`)
}

export async function setNextAt(ctx: Ctx, flowId: string, nextAt: Date | null): Promise<void> {
  await ctx.db.run(sql`
    update flows set next_at = ${nextAt} where tenant_id = ${ctx.tenantId} and id = ${flowId}`)
}
