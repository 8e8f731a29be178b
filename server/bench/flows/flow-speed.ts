import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { emit } from '#features/events/events.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { percentile } from '../ratio.ts'
import { becomesTrue, liveFlow, type FlowInstallation } from './flow-installation.ts'
import { oldestUnfinished } from './oldest-unfinished.ts'
import { startKeyReceiver } from './flow-processes.ts'

export interface FlowSpeed {
  readonly events: number
  /** Of the part before, after a minute: they disturb what is measured. */
  readonly leftJobs: number
  /** From the first commit of events to the end of the last run. */
  readonly drainSeconds: number
  readonly samples: number
  /** From the event to the start of the first step, with nothing else under way, in milliseconds. */
  readonly firstStepP50Ms: number
  readonly firstStepP95Ms: number
  /** Events of another type that were emitted meanwhile, from before their commit to the receiver of a webhook. */
  readonly deliveries: number
  readonly deliveryP50Ms: number
  readonly deliveryP99Ms: number
}

const NODES = 2
const EVENTS_AT_ONCE = 500
const DRAIN_MS_MAX = 600_000
const IDLE_MS_MAX = 60_000
const PROBE_EVERY_MS = 100

/** How soon a flow begins after an event, and how long many matching events take. */
export async function measureFlows(
  place: FlowInstallation,
  { events, samples }: { readonly events: number; readonly samples: number },
): Promise<FlowSpeed> {
  const ctx = await place.newTenant('speed')
  const nodes = Array.from({ length: NODES }, () => place.startOne())
  const leftJobs = await untilQueueIsEmpty(place.system)
  const flowId = await liveFlow(ctx, 'speed', {
    trigger: { kind: 'event', eventTypes: ['NEW_SOURCE'] },
    condition: 'event.source_id: speed',
    steps: [{ action: 'request_approval', name: 'asked', with: { question: 'Is it fast?' } }],
  })
  await announce(ctx, 1)
  await untilEnded(ctx, flowId, 1, IDLE_MS_MAX)
  const warmUp = await newestRun(ctx, flowId)
  for (let n = 1; n <= samples; n++) {
    await announce(ctx, 1)
    await untilEnded(ctx, flowId, n + 1, IDLE_MS_MAX)
  }
  const waits = await firstStepWaits(ctx, flowId, warmUp)
  const receiver = await startKeyReceiver()
  await createEndpoint(ctx, { name: 'meanwhile', url: receiver.url, events: ['DELETED_ASSET'] })
  const probing = new AbortController()
  const probes = emitProbes(ctx, probing.signal).then(
    (n) => ({ n }),
    (error: unknown) => ({ error }),
  )
  const begunAt = performance.now()
  for (let n = 0; n < events; n += EVENTS_AT_ONCE) await announce(ctx, Math.min(EVENTS_AT_ONCE, events - n))
  await untilEnded(ctx, flowId, 1 + samples + events, DRAIN_MS_MAX)
  const drainSeconds = (performance.now() - begunAt) / 1_000
  probing.abort()
  const probed = await probes
  if ('error' in probed) throw new Error('events meanwhile could not be emitted', { cause: probed.error })
  const emitted = probed.n
  await becomesTrue(async () => (await receiver.seen()).delaysMs.length >= emitted, IDLE_MS_MAX)
  const { delaysMs } = await receiver.seen()
  await receiver.stop()
  if (delaysMs.length < emitted) throw new Error(`${emitted - delaysMs.length} events were not delivered`)
  await Promise.all(nodes.map((node) => node.kill()))
  return {
    events,
    leftJobs,
    drainSeconds,
    samples: waits.length,
    firstStepP50Ms: percentile(waits, 0.5),
    firstStepP95Ms: percentile(waits, 0.95),
    deliveries: emitted,
    deliveryP50Ms: percentile(delaysMs, 0.5),
    deliveryP99Ms: percentile(delaysMs, 0.99),
  }
}

/** One event at a time until the signal aborts; answers how many. */
async function emitProbes(ctx: Ctx, signal: AbortSignal): Promise<number> {
  let emitted = 0
  while (!signal.aborted) {
    const payload = { asset_id: randomUUID(), asset_name: `emitted-at ${Date.now()}`, reason: 'bench' }
    await atomically(ctx, (inner) => emit(inner, [{ type: 'DELETED_ASSET', payload }]))
    emitted += 1
    await sleep(PROBE_EVERY_MS)
  }
  return emitted
}

async function announce(ctx: Ctx, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({
    type: 'NEW_SOURCE' as const,
    payload: { source_id: `speed ${n}` },
  }))
  await atomically(ctx, (inner) => emit(inner, events))
}

/** Answers how many jobs are left after a minute. */
async function untilQueueIsEmpty(system: Ctx): Promise<number> {
  const left = async () =>
    (
      await system.db.one(sql<{ n: number }>`
    select count(*) as n from jobs where failed_at is null and run_at <= clock_timestamp()`)
    ).n
  await becomesTrue(async () => (await left()) === 0, IDLE_MS_MAX)
  return left()
}

async function untilEnded(ctx: Ctx, flowId: string, count: number, withinMs: number): Promise<void> {
  const ended = async () => {
    const { n } = await ctx.db.one(sql<{ n: number }>`
      select count(*) as n from flow_runs
      where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} and finished_at is not null`)
    return n
  }
  if (await becomesTrue(async () => (await ended()) >= count, withinMs)) return
  throw new Error(
    `${count - (await ended())} of ${count} runs did not end within ${withinMs} ms; ${await oldestUnfinished(ctx, flowId)}`,
  )
}

async function newestRun(ctx: Ctx, flowId: string): Promise<string> {
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from flow_runs where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} order by created_at desc limit 1`)
  return id
}

/** Without the run in which the nodes warmed up. */
async function firstStepWaits(ctx: Ctx, flowId: string, warmUp: string): Promise<number[]> {
  const rows = await ctx.db.all(sql<{ ms: number }>`
    select extract(epoch from s.started_at - r.created_at)::float8 * 1000 as ms
    from flow_runs r
    join flow_run_steps s on s.tenant_id = ${ctx.tenantId} and s.run_id = r.id and s.n = 1
    where r.tenant_id = ${ctx.tenantId} and r.flow_id = ${flowId} and r.id <> ${warmUp}`)
  return rows.map(({ ms }) => ms)
}
