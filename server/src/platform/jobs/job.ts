import { sql } from 'kysely'
import type { Ctx } from '../context.ts'

/** A kind of work that survives crashes: its payload is a committed row until it is done. */
export interface Job<P> {
  /** `feature.verb` */
  readonly name: string
  /** How often it is tried before it is given up; default 5. */
  readonly attemptsMax: number
  readonly payload?: P
}

export interface Worker {
  readonly job: Job<unknown>
  readonly run: (ctx: Ctx, payload: unknown, signal: AbortSignal) => Promise<void>
}

/** Work at set times, once in the whole installation however many nodes run. */
export interface PeriodicJob {
  readonly name: string
  readonly everySeconds: number
  readonly run: (system: Ctx) => Promise<void>
}

export const job = <P>(name: string, attemptsMax = 5): Job<P> => ({ name, attemptsMax })

/** `run` must be safe to repeat: a crash between its end and the queue's note of it runs it again. */
export const worker = <P>(
  work: Job<P>,
  run: (ctx: Ctx, payload: P, signal: AbortSignal) => Promise<void>,
): Worker => ({ job: work, run: (ctx, payload, signal) => run(ctx, payload as P, signal) })

/** Writes the job in the caller's transaction: it exists if and only if the change does. */
export async function enqueue<P>(ctx: Ctx, work: Job<P>, payload: P, runAt?: Date): Promise<void> {
  await ctx.db.run(sql`
    insert into jobs (tenant_id, name, attempts_max, payload, cause, run_at)
    values (${ctx.tenantId}, ${work.name}, ${work.attemptsMax}, ${JSON.stringify(payload)}::jsonb,
            ${ctx.cause ? JSON.stringify(ctx.cause) : null}::jsonb,
            coalesce(${runAt ?? null}::timestamptz, clock_timestamp()))`)
  ctx.db.afterCommit('jobs')
}

/**
 * As `enqueue`, unless one of the tenant waits that has not begun. That one does not begin before the caller's
 * transaction ends: so what the transaction changed is seen by a job that begins after it.
 */
export async function enqueueOnce<P>(ctx: Ctx, work: Job<P>, payload: P): Promise<void> {
  const waiting = await ctx.db.maybe(sql`
    select id from jobs
    where tenant_id = ${ctx.tenantId} and name = ${work.name} and leased_until is null and failed_at is null
    limit 1 for update`)
  if (!waiting) await enqueue(ctx, work, payload)
}
