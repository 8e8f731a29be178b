import { sql } from 'kysely'
import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import type { Ctx } from '#platform/context.ts'
import type { Db } from '#platform/database/database.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { shortened } from '#platform/validation/shortened.ts'
import { stopReason } from '../stops/stop-store.ts'
import type { ClaimedRun, FlowRun, RunContext, RunStatus, RunStep } from './run.ts'

export interface RunQuery extends ListQuery {
  /** Absent: of all flows. */
  readonly flowId?: string | undefined
}

const assetName = (ctx: Ctx) => sql`coalesce((
    select a.name from assets a where a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id
  ), '')`
const flowName = (ctx: Ctx) => sql`coalesce((
    select f.name from flows f where f.tenant_id = ${ctx.tenantId} and f.id = r.flow_id
  ), '')`
const causedBy = (
  ctx: Ctx,
) => sql`case when r.cause_run is not null and cardinality(r.chain) > 0 then jsonb_build_object(
    'runId', r.cause_run, 'flowId', r.chain[cardinality(r.chain)], 'depth', cardinality(r.chain), 'flowName', coalesce((
      select f.name from flows f where f.tenant_id = ${ctx.tenantId} and f.id = r.chain[cardinality(r.chain)]
    ), '')
  ) end`
const columns = (
  ctx: Ctx,
) => sql`r.id, r.flow_id as "flowId", ${flowName(ctx)} as "flowName", r.version, r.status, r.cause, r.asset_id as "assetId",
  ${assetName(ctx)} as "assetName",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt", r.reason, r.rerun_of as "rerunOf",
  ${causedBy(ctx)} as "causedBy"`
export const claimedColumns = (
  ctx: Ctx,
) => sql`${columns(ctx)}, r.chain, r.context, r.cursor, r.tries, r.claim, (
    select coalesce(max(s.n), 0) from flow_run_steps s where s.tenant_id = ${ctx.tenantId} and s.run_id = r.id
  ) as "stepsDone", r.instructions_done as "instructionsDone", r.running_ms as "runningMs", ${stopReason(ctx)} as "stopReason"`

/** Of one flow, or of all; newest first unless asked otherwise. */
export async function list(ctx: Ctx, page: Page, { flowId, ...query }: RunQuery): Promise<Listed<FlowRun>> {
  const narrowed = flowId === undefined ? [] : [sql`fr.flow_id = ${flowId}`]
  const asked = { ...query, subject: 'flow_run', usual: '-created_at', narrowed }
  const { items: ids, total } = await subjectPage(ctx, asked, page)
  const found = await ctx.db.all(sql<FlowRun>`
    select ${columns(ctx)} from flow_runs r
    where r.tenant_id = ${ctx.tenantId} and r.id = any(${[...ids]}::uuid[])`)
  return { items: inOrder(ids, found, ({ id }) => id), total }
}

export function find(ctx: Ctx, id: string): Promise<FlowRun | undefined> {
  return ctx.db.maybe(sql<FlowRun>`
    select ${columns(ctx)} from flow_runs r
    where r.tenant_id = ${ctx.tenantId} and r.id = ${id} and r.status <> 'new'`)
}

/** With what it knew and the flows that led to it. */
export function findWhole(ctx: Ctx, id: string): Promise<ClaimedRun | undefined> {
  return ctx.db.maybe(sql<ClaimedRun>`
    select ${claimedColumns(ctx)} from flow_runs r
    where r.tenant_id = ${ctx.tenantId} and r.id = ${id} and r.status <> 'new'`)
}

export function steps(ctx: Ctx, runId: string): Promise<RunStep[]> {
  return ctx.db.all(sql<RunStep>`
    select n, path, item, action, status, started_at as "startedAt", ms, input, output, fault
    from flow_run_steps where tenant_id = ${ctx.tenantId} and run_id = ${runId} order by n`)
}

/**
 * Locked until the end of the transaction; its claim is new, so that a worker which had it before changes nothing.
 * Undefined when it has ended, or waits for longer.
 */
export function claim(ctx: Ctx, id: string): Promise<ClaimedRun | undefined> {
  return ctx.db.maybe(sql<ClaimedRun>`
    update flow_runs r set claim = r.claim + 1, moved_at = ${ctx.now()}
    where r.tenant_id = ${ctx.tenantId} and r.id = ${id} and r.status in ('pending', 'running', 'waiting')
      and (r.status <> 'waiting' or r.wake_at is null or r.wake_at <= clock_timestamp())
    returning ${claimedColumns(ctx)}`)
}

/** The run as the last commit left it; undefined when the claim is not ours any more or it has ended. */
export function reload(ctx: Ctx, run: ClaimedRun): Promise<ClaimedRun | undefined> {
  return ctx.db.maybe(sql<ClaimedRun>`
    select ${claimedColumns(ctx)} from flow_runs r
    where r.tenant_id = ${ctx.tenantId} and r.id = ${run.id} and r.claim = ${run.claim} and r.status = 'running'`)
}

export interface RunChange {
  readonly status?: RunStatus
  readonly cursor?: number
  readonly tries?: number
  readonly context?: RunContext
  readonly startedAt?: Date
  readonly finishedAt?: Date
  readonly reason?: string
  /** With status `waiting`: until when. */
  readonly wakeAt?: Date
}

/** False when the claim is not the run's any more: somebody else goes on with it, or has ended it. */
export async function change(ctx: Ctx, run: ClaimedRun, to: RunChange): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update flow_runs set
      status = coalesce(${to.status ?? null}, status),
      cursor = coalesce(${to.cursor ?? null}::int, cursor),
      tries = coalesce(${to.tries ?? null}::int, tries),
      context = coalesce(${to.context ? JSON.stringify(to.context) : null}::jsonb, context),
      started_at = coalesce(started_at, ${to.startedAt ?? null}::timestamptz),
      finished_at = coalesce(${to.finishedAt ?? null}::timestamptz, finished_at),
      reason = coalesce(${to.reason ?? null}, reason),
      wake_at = coalesce(${to.wakeAt ?? null}::timestamptz, wake_at),
      instructions_done = instructions_done + case when ${to.cursor ?? null}::int is null then 0 else 1 end,
      running_ms = running_ms + greatest(0, extract(epoch from ${ctx.now()}::timestamptz - moved_at) * 1000)::int,
      moved_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${run.id} and claim = ${run.claim}
      and status in ('pending', 'running', 'waiting')`)
  return changed === 1
}

/** False when it has ended before. */
export async function cancel(ctx: Ctx, id: string, reason: string): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update flow_runs set status = 'cancelled', reason = ${reason}, finished_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id} and status in ('pending', 'running', 'waiting')`)
  return changed === 1
}

const LOGGED_CHARACTERS_MAX = 4_096
const OVERDUE_MAX = 10_000

export type StepToLog = Omit<RunStep, 'n' | 'startedAt' | 'ms'> & { readonly startedAt: Date }

export async function log(ctx: Ctx, runId: string, step: StepToLog): Promise<void> {
  const ms = Math.max(0, ctx.now().getTime() - step.startedAt.getTime())
  await ctx.db.run(sql`
    insert into flow_run_steps (tenant_id, run_id, n, path, item, action, status, started_at, ms, input, output, fault)
    select ${ctx.tenantId}, ${runId}, 1 + coalesce(max(s.n), 0), ${step.path}, ${step.item}, ${step.action}, ${step.status},
      ${step.startedAt}, ${ms}, ${bounded(step.input)}::jsonb, ${bounded(step.output)}::jsonb, ${step.fault}
    from flow_run_steps s where s.tenant_id = ${ctx.tenantId} and s.run_id = ${runId}`)
}

/** As JSON; what is longer stands as the beginning of its text. */
export function bounded(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length <= LOGGED_CHARACTERS_MAX
    ? text
    : JSON.stringify(`${shortened(text, LOGGED_CHARACTERS_MAX)}…`)
}

/** Runs that were to go on before that time, the oldest first. */
export async function overdue(ctx: Ctx, before: Date): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from flow_runs
    where tenant_id = ${ctx.tenantId} and status in ('pending', 'running', 'waiting')
      and coalesce(wake_at, started_at, created_at) < ${before}
    order by created_at, id limit ${OVERDUE_MAX}`)
  return rows.map(({ id }) => id)
}

/** The flow has begun a run: that is what its list shows as the last time. Written before the commit. */
export function noteTriggered(ctx: Ctx, flowId: string, triggeredAt: Date): void {
  ctx.db.beforeCommit(writeNotes, { tenantId: ctx.tenantId, flowId, triggeredAt })
}

/** A run of the flow has succeeded. Written before the commit, and only where the run before failed. */
export function noteSucceeded(ctx: Ctx, flowId: string): void {
  ctx.db.beforeCommit(writeNotes, { tenantId: ctx.tenantId, flowId, hasSucceeded: true })
}

interface FlowNote {
  readonly tenantId: string
  readonly flowId: string
  readonly triggeredAt?: Date
  readonly hasSucceeded?: true
}

/** Last in the transaction, because runs of one flow that begin or end at the same time wait for each other at its row. */
async function writeNotes(db: Db, all: readonly FlowNote[]): Promise<void> {
  const notes = new Map<string, FlowNote>()
  for (const it of all) {
    const key = `${it.tenantId} ${it.flowId}`
    notes.set(key, { ...notes.get(key), ...it })
  }
  // in one order everywhere, for each locks its row
  for (const it of [...notes.values()].sort((a, b) => (a.flowId < b.flowId ? -1 : 1)))
    await db.run(sql`
      update flows set last_triggered_at = greatest(last_triggered_at, ${it.triggeredAt ?? null}::timestamptz),
        failures_in_a_row = case when ${it.hasSucceeded ?? false} then 0 else failures_in_a_row end
      where tenant_id = ${it.tenantId} and id = ${it.flowId}
        and (${it.triggeredAt !== undefined} or failures_in_a_row > 0)`)
}

/** Answers how many runs in a row have failed now. */
export async function noteFailed(ctx: Ctx, flowId: string): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    update flows set failures_in_a_row = failures_in_a_row + 1
    where tenant_id = ${ctx.tenantId} and id = ${flowId} returning failures_in_a_row as n`)
  return n
}

/** Runs that ended before, with their steps; answers how many. */
export function removeEnded(
  ctx: Ctx,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  return ctx.db.run(sql`
    delete from flow_runs where tenant_id = ${ctx.tenantId} and id = any(array(
      select r.id from flow_runs r where r.tenant_id = ${ctx.tenantId} and r.finished_at < ${before} limit ${limit}))`)
}
