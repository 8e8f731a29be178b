import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Definition } from '../flow.ts'
import type { RunContext } from '../running/run.ts'
import { stopReason } from '../stops/stop-store.ts'

/** Runs that have been asked for and are not admitted yet. */
export interface NewRun {
  readonly id: string
  readonly flowId: string
  readonly cause: string
  readonly dedupeKey: string
  readonly assetId: string | null
  readonly context: RunContext
}

export interface NewRunOfEvent extends Omit<NewRun, 'flowId'> {
  /** The run that the event tells of, where that is not the one that caused it. */
  readonly causeRun?: string
}

/** One for each enabled flow that an event type starts; those that are known already are left out. Answers how many. */
export async function addForEvents(
  ctx: Ctx,
  events: readonly NewRunOfEvent[],
  cause: Ctx['cause'],
): Promise<number> {
  return ctx.db.run(sql`
    insert into flow_runs (tenant_id, id, flow_id, version, status, cause, dedupe_key, chain, cause_run, asset_id, context,
      created_at)
    select ${ctx.tenantId}, gen_random_uuid(), t.flow_id, f.published_version, 'new', e.cause, e.dedupe_key,
      ${[...(cause?.flowIds ?? [])]}::uuid[], e.cause_run, e.asset_id, e.context, ${ctx.now()}
    from unnest(${events.map((it) => it.cause)}::text[], ${events.map((it) => it.dedupeKey)}::text[],
      ${events.map((it) => it.assetId)}::uuid[], ${events.map((it) => JSON.stringify(it.context))}::jsonb[],
      ${events.map((it) => it.causeRun ?? cause?.runId ?? null)}::uuid[])
      as e (cause, dedupe_key, asset_id, context, cause_run)
    join flow_event_triggers t on t.tenant_id = ${ctx.tenantId} and t.event_type = e.cause
    join flows f on f.tenant_id = ${ctx.tenantId} and f.id = t.flow_id
    on conflict (tenant_id, flow_id, dedupe_key) do nothing`)
}

export interface AddedRun extends NewRun {
  readonly version: number
  readonly chain: readonly string[]
  readonly rerunOf?: string
  /** The run whose steps led to it; null or absent: none did. */
  readonly causeRun?: string | null
  /** The instruction that it begins with. */
  readonly cursor?: number
}

/** False when there is one with that key already. */
export async function add(ctx: Ctx, run: AddedRun): Promise<boolean> {
  return (await addAll(ctx, [run])) === 1
}

/** Runs of flows of the same tenant; those whose key is known already are left out. Answers how many were added. */
export async function addAll(ctx: Ctx, runs: readonly AddedRun[]): Promise<number> {
  const rows = runs.map(({ context, chain, rerunOf = null, causeRun = null, cursor = 0, ...run }) => ({
    ...run,
    rerun_of: rerunOf,
    cause_run: causeRun,
    cursor,
    context,
    chain,
  }))
  return ctx.db.run(sql`
    insert into flow_runs (tenant_id, id, flow_id, version, status, cause, dedupe_key, chain, asset_id, context, rerun_of,
      cause_run, cursor, created_at)
    select ${ctx.tenantId}, n.id, n."flowId", n.version, 'new', n.cause, n."dedupeKey", n.chain, n."assetId", n.context,
      n.rerun_of, n.cause_run, n.cursor, ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, "flowId" uuid, version integer, cause text,
      "dedupeKey" text, chain uuid[], "assetId" uuid, context jsonb, rerun_of uuid, cause_run uuid,
      cursor integer)
    on conflict (tenant_id, flow_id, dedupe_key) do nothing`)
}

export interface RunToAdmit extends NewRun {
  readonly version: number
  readonly chain: readonly string[]
  readonly enabled: boolean
  /** Why the tenant's flows are stopped; null: they are not. */
  readonly stopReason: string | null
  readonly definition: Definition
}

/** The oldest first; locked, skipping those that another worker handles. */
export function toAdmit(ctx: Ctx, most: number): Promise<RunToAdmit[]> {
  return ctx.db.all(sql<RunToAdmit>`
    select r.id, r.flow_id as "flowId", r.version, r.cause, r.dedupe_key as "dedupeKey", r.asset_id as "assetId",
      r.context, r.chain, f.enabled, v.definition, ${stopReason(ctx)} as "stopReason"
    from flow_runs r
    join flows f on f.tenant_id = ${ctx.tenantId} and f.id = r.flow_id
    join flow_versions v on v.tenant_id = ${ctx.tenantId} and v.flow_id = r.flow_id and v.n = r.version
    where r.tenant_id = ${ctx.tenantId} and r.status = 'new'
    order by r.created_at, r.id limit ${most} for update of r skip locked`)
}

export interface RecentOfFlow {
  readonly flowId: string
  readonly inLastMinute: number
  readonly underWay: number
}

export function recentOfFlows(ctx: Ctx, flowIds: readonly string[]): Promise<RecentOfFlow[]> {
  const minuteAgo = new Date(ctx.now().getTime() - 60_000)
  return ctx.db.all(sql<RecentOfFlow>`
    select f.id as "flowId",
      (select count(*) from flow_runs r where r.tenant_id = ${ctx.tenantId} and r.flow_id = f.id
         and r.created_at > ${minuteAgo} and r.status not in ('new', 'skipped')) as "inLastMinute",
      (select count(*) from flow_runs r where r.tenant_id = ${ctx.tenantId} and r.flow_id = f.id
         and r.status in ('pending', 'running', 'waiting')) as "underWay"
    from flows f where f.tenant_id = ${ctx.tenantId} and f.id = any(${[...flowIds]}::uuid[])`)
}

export interface RecentOfAsset {
  readonly flowId: string
  readonly assetId: string
  /** RFC 3339 */
  readonly lastAt: string
  readonly isUnderWay: boolean
}

export async function recentOfAssets(ctx: Ctx, runs: readonly NewRun[]): Promise<RecentOfAsset[]> {
  if (runs.length === 0) return []
  return ctx.db.all(sql<RecentOfAsset>`
    select r.flow_id as "flowId", r.asset_id as "assetId", max(r.created_at) as "lastAt",
      bool_or(r.status in ('pending', 'running', 'waiting')) as "isUnderWay"
    from flow_runs r
    join (select distinct * from unnest(${runs.map((it) => it.flowId)}::uuid[],
      ${runs.map((it) => it.assetId)}::uuid[]) as w (flow_id, asset_id)) w
      on r.flow_id = w.flow_id and r.asset_id = w.asset_id
    where r.tenant_id = ${ctx.tenantId} and r.status not in ('new', 'skipped')
    group by r.flow_id, r.asset_id`)
}

export interface Skip {
  readonly id: string
  /** The guard that kept it from running, and why. */
  readonly reason: string
}

export interface Settled {
  readonly unmatched: readonly string[]
  readonly skipped: readonly Skip[]
  readonly admitted: readonly string[]
}

/** What becomes of new runs: those that do not match are removed. */
export async function settle(ctx: Ctx, { unmatched, skipped, admitted }: Settled): Promise<void> {
  if (unmatched.length > 0)
    await ctx.db.run(sql`
      delete from flow_runs
      where tenant_id = ${ctx.tenantId} and id = any(${[...unmatched]}::uuid[]) and status = 'new'`)
  if (admitted.length > 0)
    await ctx.db.run(sql`
      update flow_runs set status = 'pending'
      where tenant_id = ${ctx.tenantId} and id = any(${[...admitted]}::uuid[]) and status = 'new'`)
  if (skipped.length > 0) await skip(ctx, skipped)
}

export async function skip(ctx: Ctx, skips: readonly Skip[]): Promise<void> {
  await ctx.db.run(sql`
    update flow_runs r set status = 'skipped', reason = s.reason, finished_at = ${ctx.now()}
    from unnest(${skips.map(({ id }) => id)}::uuid[], ${skips.map(({ reason }) => reason)}::text[]) as s (id, reason)
    where r.tenant_id = ${ctx.tenantId} and r.id = s.id and r.status = 'new'`)
}

/** Whether there are new runs from before that time. */
export async function isAdmissionOverdue(ctx: Ctx, before: Date): Promise<boolean> {
  const found = await ctx.db.maybe(sql`
    select 1 from flow_runs where tenant_id = ${ctx.tenantId} and status = 'new' and created_at < ${before} limit 1`)
  return found !== undefined
}

/** Payloads of the tenant's jobs of that name that wait or are under way. */
export async function jobPayloads<P>(ctx: Ctx, jobName: string): Promise<P[]> {
  const rows = await ctx.db.all(sql<{ payload: P }>`
    select payload from jobs where tenant_id = ${ctx.tenantId} and name = ${jobName} and failed_at is null`)
  return rows.map(({ payload }) => payload)
}
