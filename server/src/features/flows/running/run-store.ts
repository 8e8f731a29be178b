import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { stopReason } from '../stops/stop-store.ts'
import type { ClaimedRun, FlowRun, RunContext, RunStatus, RunStep } from './run.ts'

const columns = sql`r.id, r.flow_id as "flowId", r.version, r.status, r.cause, r.asset_id as "assetId",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt", r.reason, r.rerun_of as "rerunOf"`
const claimedColumns = (ctx: Ctx) => sql`${columns}, r.chain, r.context, r.cursor, r.tries, r.claim, (
    select coalesce(max(s.n), 0) from flow_run_steps s where s.tenant_id = ${ctx.tenantId} and s.run_id = r.id
  ) as "stepsDone", ${stopReason(ctx)} as "stopReason"`

/** Newest first. */
export async function list(ctx: Ctx, flowId: string, { limit, offset }: Page): Promise<Listed<FlowRun>> {
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from flow_runs r
    where r.tenant_id = ${ctx.tenantId} and r.flow_id = ${flowId} and r.status <> 'new'`)
  const items = await ctx.db.all(sql<FlowRun>`
    select ${columns} from flow_runs r
    where r.tenant_id = ${ctx.tenantId} and r.flow_id = ${flowId} and r.status <> 'new'
    order by r.created_at desc, r.id desc limit ${limit} offset ${offset}`)
  return { items, total }
}

export function find(ctx: Ctx, id: string): Promise<FlowRun | undefined> {
  return ctx.db.maybe(sql<FlowRun>`
    select ${columns} from flow_runs r
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
    update flow_runs r set claim = r.claim + 1
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
      wake_at = coalesce(${to.wakeAt ?? null}::timestamptz, wake_at)
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

export async function log(
  ctx: Ctx,
  runId: string,
  step: Omit<RunStep, 'n' | 'startedAt' | 'ms'> & { readonly startedAt: Date },
): Promise<void> {
  const ms = Math.max(0, ctx.now().getTime() - step.startedAt.getTime())
  await ctx.db.run(sql`
    insert into flow_run_steps (tenant_id, run_id, n, path, item, action, status, started_at, ms, input, output, fault)
    select ${ctx.tenantId}, ${runId}, 1 + coalesce(max(s.n), 0), ${step.path}, ${step.item}, ${step.action}, ${step.status},
      ${step.startedAt}, ${ms}, ${bounded(step.input)}::jsonb, ${bounded(step.output)}::jsonb, ${step.fault}
    from flow_run_steps s where s.tenant_id = ${ctx.tenantId} and s.run_id = ${runId}`)
}

/** What is longer stands as the beginning of its text. */
function bounded(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length <= LOGGED_CHARACTERS_MAX
    ? text
    : JSON.stringify(`${text.slice(0, LOGGED_CHARACTERS_MAX)}…`)
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

/** The flow has begun a run: that is what its list shows as the last time. */
export async function noteTriggered(ctx: Ctx, flowId: string, at: Date): Promise<void> {
  await ctx.db.run(sql`
    update flows set last_triggered_at = ${at} where tenant_id = ${ctx.tenantId} and id = ${flowId}`)
}

/** Answers how many runs in a row have failed now. */
export async function noteOutcome(ctx: Ctx, flowId: string, hasFailed: boolean): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    update flows set failures_in_a_row = case when ${hasFailed}::boolean then failures_in_a_row + 1 else 0 end
    where tenant_id = ${ctx.tenantId} and id = ${flowId} returning failures_in_a_row as n`)
  return n
}

/** Runs that ended before, with their steps. */
export async function removeEnded(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.run(sql`delete from flow_runs where tenant_id = ${ctx.tenantId} and finished_at < ${before}`)
}
