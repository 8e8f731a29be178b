import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { RETRY_SECONDS_MAX } from './job.ts'
import type { Cause, Ctx } from '../context.ts'
import type { Database } from '../database/database.ts'
import { Refusal } from '../errors.ts'
import { traced } from '../observability/trace.ts'
import type { Lane, Worker } from './job.ts'

export interface QueueContext {
  readonly database: Database
  readonly system: Ctx
  readonly contextFor: (tenantId: string) => Ctx
}

export interface Queue {
  readonly stop: () => Promise<void>
}

/** How many jobs of a lane run at once in one process. */
const SLOTS = 8
/** How many of them one tenant may have: other tenants would wait too long for the slots of long jobs. */
const TENANT_SLOTS: Readonly<Record<Lane, number>> = { short: SLOTS, long: 6 }
/** How many tenants are remembered as served lately; others count as never served. */
const SERVED_MAX = 1_000
/** The jobs of a worker that died are taken over after this; a living one renews its leases every `BEAT_MS`. */
const LEASE_SECONDS = 10
const BEAT_MS = 3_000
/** How often due jobs are looked for when no wake-up arrives, for example from another process. */
const POLL_MS = 250
/** How long `stop` lets running jobs see their signal before it gives up on them. */
const STOP_TIMEOUT_MS = 10_000
const RETRY_BASE_SECONDS = 2

interface Claimed {
  readonly id: number
  readonly tenant_id: string
  readonly name: string
  readonly payload: unknown
  readonly attempts: number
  readonly attempts_max: number
  readonly cause: Cause | null
  readonly trace: string | null
}

/** Works on jobs until stopped: claims fairly between tenants, renews leases, retries, and takes over from the dead. */
export function startQueue(context: QueueContext, workers: readonly Worker[]): Queue {
  const lanes = (['short', 'long'] as const).map((lane) =>
    startLane(
      context,
      lane,
      workers.filter((it) => it.job.lane === lane),
    ),
  )
  return { stop: async () => void (await Promise.all(lanes.map((it) => it.stop()))) }
}

function startLane(context: QueueContext, lane: Lane, workers: readonly Worker[]): Queue {
  const lease = randomUUID()
  const byName = new Map(workers.map((it) => [it.job.name, it]))
  const running = new Map<number, { readonly tenantId: string; readonly done: Promise<void> }>()
  const served = new Set<string>()
  const stopping = new AbortController()
  let wake: () => void = () => {}
  const silence = context.database.onCommit('jobs', () => wake())

  const startJob = (claimed: Claimed): void => {
    const done = runClaimed(context, byName, lease, claimed, stopping.signal).finally(() => {
      running.delete(claimed.id)
      wake()
    })
    running.set(claimed.id, { tenantId: claimed.tenant_id, done })
    noteServed(served, claimed.tenant_id)
  }
  const claimFree = (free: number) =>
    claim(context, {
      names: [...byName.keys()],
      lease,
      count: free,
      tenantSlots: TENANT_SLOTS[lane],
      running: [...running.keys()],
      held: [...running.values()].map((it) => it.tenantId),
      served: [...served],
    }).catch((error) => missed(context, error))
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const free = SLOTS - running.size
      const claimed = free > 0 ? await claimFree(free) : []
      claimed.forEach(startJob)
      if (claimed.length < free || free === 0)
        await Promise.race([woken, sleep(POLL_MS, undefined, { ref: false })])
    }
  }
  const beat = setInterval(() => void renew(context, lease, [...running.keys()]), BEAT_MS)
  const looping = workers.length > 0 ? loop() : Promise.resolve()
  return {
    async stop() {
      stopping.abort()
      wake()
      silence()
      await looping
      await endOf([...running.values()].map((it) => it.done))
      clearInterval(beat)
    },
  }
}

/** Keeps tenants in the order in which they were last given a slot. */
function noteServed(served: Set<string>, tenantId: string): void {
  served.delete(tenantId)
  served.add(tenantId)
  const [oldest] = served
  if (served.size > SERVED_MAX && oldest !== undefined) served.delete(oldest)
}

/** Resolves when all have ended, or after `STOP_TIMEOUT_MS`. */
async function endOf(jobs: readonly Promise<void>[]): Promise<void> {
  await Promise.race([Promise.allSettled(jobs), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
}

function missed(context: QueueContext, error: unknown): Claimed[] {
  context.system.log.error({ err: error }, 'job queue')
  return []
}

interface Claim {
  readonly names: readonly string[]
  readonly lease: string
  readonly count: number
  readonly tenantSlots: number
  /** What this worker still works on: when it was too busy to renew the lease in time, it must not begin again. */
  readonly running: readonly number[]
  /** The tenants of the jobs that run already, each as often as it has jobs. */
  readonly held: readonly string[]
  /** Tenants in the order in which they were last given a slot. */
  readonly served: readonly string[]
}

/**
 * Round robin: every tenant's oldest due job comes before any tenant's second. Among equals whoever was served longest
 * ago comes first, else a tenant with many old jobs would get each slot that it leaves.
 */
async function claim(
  context: QueueContext,
  { names, lease, count, tenantSlots, running, held, served }: Claim,
): Promise<Claimed[]> {
  return context.system.db.all(sql<Claimed>`
    with held as (
      select tenant_id, count(*) as slots from unnest(${held}::uuid[]) as jobs (tenant_id) group by tenant_id
    ), due as (
      select id, tenant_id, run_at,
             coalesce(held.slots, 0) + row_number() over (partition by tenant_id order by run_at, id) as turn
      from jobs left join held using (tenant_id)
      where failed_at is null and run_at <= clock_timestamp() and name = any(${names}::text[])
        and id <> all(${running}::bigint[])
        and (leased_until is null or leased_until < clock_timestamp())
        and tenant_id not in (select m.id from tenant_moves m)
    ), chosen as (
      select id from jobs
      where id in (
          select id from due
          left join unnest(${served}::uuid[]) with ordinality as served (tenant_id, nth) using (tenant_id)
          where turn <= ${tenantSlots} order by turn, nth nulls first, run_at, id limit ${count})
        and (leased_until is null or leased_until < clock_timestamp())
      for update skip locked
    )
    update jobs set lease = ${lease}, leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
                    attempts = attempts + 1
    from chosen where jobs.id = chosen.id
    returning jobs.id, tenant_id, name, payload, attempts, attempts_max, cause, trace`)
}

async function renew(context: QueueContext, lease: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const renewed = context.system.db.run(sql`
    update jobs set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where id = any(${ids}::bigint[]) and lease = ${lease}`)
  await renewed.catch((error) => missed(context, error))
}

async function runClaimed(
  context: QueueContext,
  byName: ReadonlyMap<string, Worker>,
  lease: string,
  ...[claimed, signal]: [Claimed, AbortSignal]
): Promise<void> {
  const ctx = contextOf(context, claimed)
  const found = byName.get(claimed.name)
  try {
    // the worker of the last attempt crashed without a report: a job that crashes its worker is not retried for ever
    if (claimed.attempts > claimed.attempts_max) throw new Error('its worker died each time it was tried')
    if (found?.job.doesAll) await removeWaiting(context, claimed)
    await traced(ctx, `job ${claimed.name}`, {
      kind: 'consumer',
      parent: claimed.trace ?? undefined,
      attributes: {
        'rollcall.tenant': claimed.tenant_id,
        'rollcall.job': claimed.id,
        'rollcall.attempt': claimed.attempts,
      },
      work: async (inner) => found?.run(inner, claimed.payload, signal),
    })
    await finish(context, lease, claimed)
  } catch (error) {
    const secondsMax = found?.job.retrySecondsMax ?? RETRY_SECONDS_MAX
    await (
      signal.aborted
        ? giveBack(context, lease, claimed)
        : fail(context, lease, claimed, { error, secondsMax })
    ).catch((late) => missed(context, late))
  }
}

/** What the job writes to the log names it and its tenant. */
function contextOf(context: QueueContext, { id, name, tenant_id, cause }: Claimed): Ctx {
  const ctx = context.contextFor(tenant_id)
  const log = ctx.log.child({ job: name, jobId: id, tenantId: tenant_id })
  return { ...ctx, log, ...(cause && { cause }) }
}

/** Removes waiting jobs of the same kind and tenant before the work begins: what they are for is committed and will be seen. */
async function removeWaiting(context: QueueContext, { id, tenant_id, name }: Claimed): Promise<void> {
  await context.system.db.run(sql`
    delete from jobs where id in (
      select id from jobs
      where tenant_id = ${tenant_id} and name = ${name} and id <> ${id} and failed_at is null
        and (leased_until is null or leased_until < clock_timestamp())
      for update skip locked)`)
}

async function finish(context: QueueContext, lease: string, { id }: Claimed): Promise<void> {
  await context.system.db.run(sql`delete from jobs where id = ${id} and lease = ${lease}`)
}

/** For a job that was stopped on purpose: the attempt does not count, and another worker may begin at once. */
async function giveBack(context: QueueContext, lease: string, { id }: Claimed): Promise<void> {
  await context.system.db.run(sql`
    update jobs set leased_until = null, lease = null, attempts = attempts - 1 where id = ${id} and lease = ${lease}`)
}

/** A Refusal would be the same again, so the job is not retried. */
async function fail(
  context: QueueContext,
  lease: string,
  claimed: Claimed,
  { error, secondsMax }: { readonly error: unknown; readonly secondsMax: number },
): Promise<void> {
  const isFinal = error instanceof Refusal || claimed.attempts >= claimed.attempts_max
  const { name: job, id: jobId, tenant_id: tenantId, attempts: attempt } = claimed
  context.system.log.warn({ err: error, job, jobId, tenantId, attempt, isFinal }, 'job failed')
  const delay = Math.min(secondsMax, RETRY_BASE_SECONDS * 2 ** (claimed.attempts - 1))
  await context.system.db.run(sql`
    update jobs set lease = null, leased_until = null, last_error = ${String(error).replaceAll('\0', '').slice(0, 1000)},
      failed_at = case when ${isFinal}::boolean then clock_timestamp() end,
      run_at = clock_timestamp() + make_interval(secs => ${delay})
    where id = ${claimed.id} and lease = ${lease}`)
}
