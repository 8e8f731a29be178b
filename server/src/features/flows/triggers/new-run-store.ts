import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Definition } from '../flow.ts'
import type { RunContext } from '../running/run.ts'

/** Runs that have been asked for and are not admitted yet. */
export interface NewRun {
  readonly id: string
  readonly flowId: string
  readonly cause: string
  readonly dedupeKey: string
  readonly assetId: string | null
  readonly context: RunContext
}

/** One for each enabled flow that an event type starts; those that are known already are left out. Answers how many. */
export async function addForEvents(
  ctx: Ctx,
  events: readonly Omit<NewRun, 'flowId'>[],
  chain: readonly string[],
): Promise<number> {
  return ctx.db.run(sql`
    insert into flow_runs (tenant_id, id, flow_id, version, status, cause, dedupe_key, chain, asset_id, context, created_at)
    select ${ctx.tenantId}, gen_random_uuid(), t.flow_id, f.published_version, 'new', e.cause, e.dedupe_key,
      ${[...chain]}::uuid[], e.asset_id, e.context, ${ctx.now()}
    from unnest(${events.map((it) => it.cause)}::text[], ${events.map((it) => it.dedupeKey)}::text[],
      ${events.map((it) => it.assetId)}::uuid[], ${events.map((it) => JSON.stringify(it.context))}::jsonb[])
      as e (cause, dedupe_key, asset_id, context)
    join flow_event_triggers t on t.tenant_id = ${ctx.tenantId} and t.event_type = e.cause
    join flows f on f.tenant_id = ${ctx.tenantId} and f.id = t.flow_id
    on conflict (tenant_id, flow_id, dedupe_key) do nothing`)
}

/** Which of the event types start something: asked before anything is written. */
export async function triggering(ctx: Ctx, types: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.db.all(sql<{ type: string }>`
    select distinct t.event_type as type from flow_event_triggers t
    where t.tenant_id = ${ctx.tenantId} and t.event_type = any(${[...types]}::text[])`)
  return new Set(rows.map(({ type }) => type))
}

/** False when there is one with that key already. */
export async function add(
  ctx: Ctx,
  run: NewRun & { readonly version: number; readonly chain: readonly string[] },
): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into flow_runs (tenant_id, id, flow_id, version, status, cause, dedupe_key, chain, asset_id, context, created_at)
    values (${ctx.tenantId}, ${run.id}, ${run.flowId}, ${run.version}, 'new', ${run.cause}, ${run.dedupeKey},
      ${[...run.chain]}::uuid[], ${run.assetId}, ${JSON.stringify(run.context)}::jsonb, ${ctx.now()})
    on conflict (tenant_id, flow_id, dedupe_key) do nothing`)
  return added === 1
}

export interface RunToAdmit extends NewRun {
  readonly version: number
  readonly chain: readonly string[]
  readonly enabled: boolean
  readonly definition: Definition
}

/** The oldest first; locked, skipping those that another worker handles. */
export function toAdmit(ctx: Ctx, most: number): Promise<RunToAdmit[]> {
  return ctx.db.all(sql<RunToAdmit>`
    select r.id, r.flow_id as "flowId", r.version, r.cause, r.dedupe_key as "dedupeKey", r.asset_id as "assetId",
      r.context, r.chain, f.enabled, v.definition
    from flow_runs r
    join flows f on f.tenant_id = ${ctx.tenantId} and f.id = r.flow_id
    join flow_versions v on v.tenant_id = ${ctx.tenantId} and v.flow_id = r.flow_id and v.n = r.version
    where r.tenant_id = ${ctx.tenantId} and r.status = 'new'
    order by r.created_at, r.id limit ${most} for update of r skip locked`)
}

export interface RecentRuns {
  readonly inLastMinute: number
  /** Whether one of the same asset began after `coolSince`. */
  readonly isCooling: boolean
}

export function recentRuns(ctx: Ctx, run: RunToAdmit, coolSince: Date): Promise<RecentRuns> {
  return ctx.db.one(sql<RecentRuns>`
    select
      (select count(*) from flow_runs r where r.tenant_id = ${ctx.tenantId} and r.flow_id = ${run.flowId}
         and r.created_at > ${new Date(ctx.now().getTime() - 60_000)} and r.status not in ('new', 'skipped')) as "inLastMinute",
      exists (select from flow_runs r where r.tenant_id = ${ctx.tenantId} and r.flow_id = ${run.flowId}
         and r.asset_id = ${run.assetId} and r.status not in ('new', 'skipped') and r.created_at > ${coolSince}) as "isCooling"`)
}

export async function admit(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update flow_runs set status = 'pending' where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'new'`)
}

/** With the name of the guard that kept it from running. */
export async function skip(ctx: Ctx, id: string, guard: string): Promise<void> {
  await ctx.db.run(sql`
    update flow_runs set status = 'skipped', reason = ${guard}, finished_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'new'`)
}

export async function remove(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from flow_runs where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[]) and status = 'new'`)
}
