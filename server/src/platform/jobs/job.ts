import { sql } from 'kysely'
import type { Ctx } from '../context.ts'
import { traceparentOf } from '../observability/trace.ts'

/**
 * `long`: work that waits for other machines, for minutes or hours. It has slots of its own in each process, so that
 * everything else begins however many scans are under way.
 */
export type Lane = 'short' | 'long'

/** A kind of work that survives crashes: its payload is a committed row until it is done. */
export interface Job<P> {
  /** `feature.verb` */
  readonly name: string
  /** How often it is tried before it is given up; default 5. */
  readonly attemptsMax: number
  readonly lane: Lane
  /** The longest pause before another attempt; default an hour. */
  readonly retrySecondsMax?: number
  /**
   * One run does whatever waits to be done, so a worker that begins with one takes the tenant's other waiting jobs of
   * this name off the queue. Their payload has to be the same.
   */
  readonly doesAll?: true
  readonly payload?: P
}

/** Between two attempts at a job that says nothing else. */
export const RETRY_SECONDS_MAX = 3_600

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

export const job = <P>(
  name: string,
  attemptsMax = 5,
  more: Pick<Job<P>, 'retrySecondsMax' | 'doesAll'> = {},
): Job<P> => ({ name, attemptsMax, lane: 'short', ...more })

export const longJob = <P>(name: string, attemptsMax = 5): Job<P> => ({ name, attemptsMax, lane: 'long' })

/** `run` must be safe to repeat: a crash between its end and the queue's note of it runs it again. */
export const worker = <P>(
  work: Job<P>,
  run: (ctx: Ctx, payload: P, signal: AbortSignal) => Promise<void>,
): Worker => ({ job: work, run: (ctx, payload, signal) => run(ctx, payload as P, signal) })

/** Writes the job in the caller's transaction: it exists if and only if the change does. */
export function enqueue<P>(ctx: Ctx, work: Job<P>, payload: P, runAt?: Date): Promise<void> {
  return enqueueAll(ctx, work, [{ payload, ...(runAt && { runAt }) }])
}

export interface JobToRun<P> {
  readonly payload: P
  /** Absent: now. */
  readonly runAt?: Date
}

/** Several of one kind, in one statement. */
export async function enqueueAll<P>(ctx: Ctx, work: Job<P>, all: readonly JobToRun<P>[]): Promise<void> {
  if (all.length === 0) return
  await ctx.db.run(sql`
    insert into jobs (tenant_id, name, attempts_max, payload, cause, trace, run_at)
    select ${ctx.tenantId}, ${work.name}, ${work.attemptsMax}, j.payload,
           ${ctx.cause ? JSON.stringify(ctx.cause) : null}::jsonb, ${traceparentOf(ctx) ?? null},
           coalesce(j.run_at, clock_timestamp())
    from unnest(${all.map(({ payload }) => JSON.stringify(payload))}::jsonb[],
                ${all.map(({ runAt = null }) => runAt)}::timestamptz[]) with ordinality as j (payload, run_at, n)
    order by j.n`)
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
