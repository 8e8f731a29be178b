import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { bounded, claimedColumns, type StepToLog } from '../run-store.ts'
import type { ClaimedRun, RunContext, RunStatus } from '../run.ts'

/** Runs that are executed in one transaction: each of these statements is about all of them. */

/**
 * Locked until the end of the transaction, in one order everywhere, and with the claim that `writeAll` gives them. Those
 * that have ended, or wait for longer, are left out. They are read by a second statement: one statement
 * joins rows as they were when it began, and while it waits for a lock another worker may move the run.
 */
export async function lockAll(ctx: Ctx, ids: readonly string[]): Promise<ClaimedRun[]> {
  const locked = await ctx.db.all(sql<{ id: string }>`
    select id from flow_runs
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[]) and status in ('pending', 'running', 'waiting')
      and (status <> 'waiting' or wake_at is null or wake_at <= clock_timestamp())
    order by id for update`)
  const runs = await ctx.db.all(sql<ClaimedRun>`
    select ${claimedColumns(ctx)} from flow_runs r
    where r.tenant_id = ${ctx.tenantId} and r.id = any(${locked.map(({ id }) => id)}::uuid[])
    order by r.created_at, r.id`)
  return runs.map((run) => ({ ...run, claim: run.claim + 1 }))
}

export interface MovedRun {
  readonly id: string
  readonly status: RunStatus
  readonly cursor: number
  /** When this transaction took it: the time since then counts as running, and a run that had not begun began then. */
  readonly takenAt: Date
  /** Absent: as before. */
  readonly context?: RunContext
  readonly finishedAt?: Date
  readonly reason?: string
  readonly wakeAt?: Date
  /** In this transaction. */
  readonly instructions: number
}

/** Of runs that this transaction has locked. A worker that had one before has lost its claim. */
export async function writeAll(ctx: Ctx, moved: readonly MovedRun[]): Promise<void> {
  await ctx.db.run(sql`
    update flow_runs r set claim = r.claim + 1, status = m.status, cursor = m.cursor,
      context = coalesce(m.context, r.context),
      tries = case when m.instructions > 0 then 0 else r.tries end,
      started_at = coalesce(r.started_at, m."takenAt"),
      finished_at = m."finishedAt", reason = m.reason, wake_at = coalesce(m."wakeAt", r.wake_at),
      instructions_done = r.instructions_done + m.instructions,
      running_ms = r.running_ms + greatest(0, extract(epoch from ${ctx.now()}::timestamptz - m."takenAt") * 1000)::int,
      moved_at = ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as m (id uuid, status text, cursor integer, context jsonb,
      "takenAt" timestamptz, "finishedAt" timestamptz, reason text, "wakeAt" timestamptz, instructions integer)
    where r.tenant_id = ${ctx.tenantId} and r.id = m.id`)
}

export interface LoggedStep extends StepToLog {
  readonly runId: string
  /** Its place in the log of the run. */
  readonly n: number
  readonly endedAt: Date
}

export async function logAll(ctx: Ctx, steps: readonly LoggedStep[]): Promise<void> {
  if (steps.length === 0) return
  const ms = steps.map(({ startedAt, endedAt }) => Math.max(0, endedAt.getTime() - startedAt.getTime()))
  await ctx.db.run(sql`
    insert into flow_run_steps (tenant_id, run_id, n, path, item, action, status, started_at, ms, input, output, fault)
    select ${ctx.tenantId}, s.run_id, s.n, s.path, s.item, s.action, s.status, s.started_at, s.ms, s.input, s.output, s.fault
    from unnest(${steps.map((it) => it.runId)}::uuid[], ${steps.map((it) => it.n)}::int[],
      ${steps.map((it) => it.path)}::text[], ${steps.map((it) => it.item)}::text[],
      ${steps.map((it) => it.action)}::text[], ${steps.map((it) => it.status)}::text[],
      ${steps.map((it) => it.startedAt)}::timestamptz[], ${ms}::int[],
      ${steps.map((it) => bounded(it.input))}::jsonb[], ${steps.map((it) => bounded(it.output))}::jsonb[],
      ${steps.map((it) => it.fault)}::text[])
      as s (run_id, n, path, item, action, status, started_at, ms, input, output, fault)`)
}
