import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Cause, Ctx } from '../context.ts'
import type { Database } from '../database/database.ts'
import { Refusal } from '../errors.ts'
import type { Worker } from './job.ts'

export interface QueueContext {
  readonly database: Database
  readonly system: Ctx
  readonly contextFor: (tenantId: string) => Ctx
}

/** Jobs at once in one process. */
const SLOTS = 8
/** A worker that dies is missed after this; a living one renews well before. */
const LEASE_SECONDS = 10
const BEAT_MS = 3_000
/** Truth when no wake-up arrives, for example from another process. */
const POLL_MS = 250
/** How long `stop` lets running jobs see their signal before it gives up on them. */
const STOP_TIMEOUT_MS = 10_000
const RETRY_BASE_SECONDS = 2
const RETRY_MAX_SECONDS = 3_600

interface Claimed {
  readonly id: number
  readonly tenant_id: string
  readonly name: string
  readonly payload: unknown
  readonly attempts: number
  readonly attempts_max: number
  readonly cause: Cause | null
}

/** Works on jobs until stopped: claims fairly between tenants, renews leases, retries, and takes over from the dead. */
export function startQueue(context: QueueContext, workers: readonly Worker[]): { stop: () => Promise<void> } {
  const lease = randomUUID()
  const byName = new Map(workers.map((it) => [it.job.name, it]))
  const running = new Map<number, Promise<void>>()
  const stopping = new AbortController()
  let wake: () => void = () => {}
  const silence = context.database.onCommit('jobs', () => wake())

  const startJob = (claimed: Claimed): void => {
    const done = runClaimed(context, byName, lease, claimed, stopping.signal).finally(() => {
      running.delete(claimed.id)
      wake()
    })
    running.set(claimed.id, done)
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const free = SLOTS - running.size
      const claimed =
        free > 0
          ? await claim(context, [...byName.keys()], lease, free).catch((error) => missed(context, error))
          : []
      claimed.forEach(startJob)
      if (claimed.length < free || free === 0)
        await Promise.race([woken, sleep(POLL_MS, undefined, { ref: false })])
    }
  }
  const beat = setInterval(() => {
    if (running.size > 0)
      void renew(context, lease, [...running.keys()]).catch((error) => missed(context, error))
  }, BEAT_MS)
  const looping = loop()
  return {
    async stop() {
      stopping.abort()
      wake()
      silence()
      await looping
      await Promise.race([
        Promise.allSettled(running.values()),
        sleep(STOP_TIMEOUT_MS, undefined, { ref: false }),
      ])
      clearInterval(beat)
    },
  }
}

function missed(context: QueueContext, error: unknown): Claimed[] {
  context.system.log.error({ err: error }, 'job queue')
  return []
}

/** Round robin: every tenant's oldest due job comes before any tenant's second. */
async function claim(
  context: QueueContext,
  names: readonly string[],
  lease: string,
  count: number,
): Promise<Claimed[]> {
  return context.system.db.all(sql<Claimed>`
    with due as (
      select id, row_number() over (partition by tenant_id order by run_at, id) as turn, run_at
      from jobs
      where failed_at is null and run_at <= clock_timestamp() and name = any(${names}::text[])
        and (leased_until is null or leased_until < clock_timestamp())
    ), chosen as (
      select id from jobs
      where id in (select id from due order by turn, run_at, id limit ${count})
        and (leased_until is null or leased_until < clock_timestamp())
      for update skip locked
    )
    update jobs set lease = ${lease}, leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
                    attempts = attempts + 1
    from chosen where jobs.id = chosen.id
    returning jobs.id, tenant_id, name, payload, attempts, attempts_max, cause`)
}

async function renew(context: QueueContext, lease: string, ids: readonly number[]): Promise<void> {
  await context.system.db.run(sql`
    update jobs set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where id = any(${ids}::bigint[]) and lease = ${lease}`)
}

async function runClaimed(
  context: QueueContext,
  byName: ReadonlyMap<string, Worker>,
  lease: string,
  ...[claimed, signal]: [Claimed, AbortSignal]
): Promise<void> {
  const ctx = { ...context.contextFor(claimed.tenant_id), ...(claimed.cause && { cause: claimed.cause }) }
  try {
    // the worker of the last attempt crashed without a report: a job that crashes its worker is not retried for ever
    if (claimed.attempts > claimed.attempts_max) throw new Error('its worker died each time it was tried')
    await byName.get(claimed.name)?.run(ctx, claimed.payload, signal)
    await finish(context, lease, claimed)
  } catch (error) {
    await (signal.aborted ? giveBack(context, lease, claimed) : fail(context, lease, claimed, error)).catch(
      (late) => missed(context, late),
    )
  }
}

async function finish(context: QueueContext, lease: string, { id }: Claimed): Promise<void> {
  await context.system.db.run(sql`delete from jobs where id = ${id} and lease = ${lease}`)
}

/** Stopped on purpose: the attempt does not count, and another worker may begin at once. */
async function giveBack(context: QueueContext, lease: string, { id }: Claimed): Promise<void> {
  await context.system.db.run(sql`
    update jobs set leased_until = null, lease = null, attempts = attempts - 1 where id = ${id} and lease = ${lease}`)
}

/** A Refusal is an answer, not an accident: it is not tried again. */
async function fail(context: QueueContext, lease: string, claimed: Claimed, error: unknown): Promise<void> {
  const isFinal = error instanceof Refusal || claimed.attempts >= claimed.attempts_max
  context.system.log.warn({ err: error, job: claimed.name, attempt: claimed.attempts, isFinal }, 'job failed')
  const delay = Math.min(RETRY_MAX_SECONDS, RETRY_BASE_SECONDS * 2 ** (claimed.attempts - 1))
  await context.system.db.run(sql`
    update jobs set lease = null, leased_until = null, last_error = ${String(error).slice(0, 1000)},
      failed_at = case when ${isFinal}::boolean then clock_timestamp() end,
      run_at = clock_timestamp() + make_interval(secs => ${delay})
    where id = ${claimed.id} and lease = ${lease}`)
}
