import { setTimeout as sleep } from 'node:timers/promises'
import { createTenant } from '#features/tenancy/tenancy.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { percentile } from '../ratio.ts'
import { costOf, isEmpty } from './delivery-cost.ts'
import type { DeliveryCase, DeliveryFigures } from './delivery-figures.ts'
import type { Scene } from './webhook-installation.ts'
import { deliverFor, emitBatch, latencies, subscribe } from './webhook-speed.ts'
import { workerCases } from './worker-cases.ts'

const PER_SECOND = 200
const LARGE_BYTES = 10_000
const HUNG = 50
const HUNG_BACKLOG = 3_000
const BATCH = 500
const WARM_UP_SECONDS = 1
const POLL_MS = 20
/** Of a receiver that answers nothing, until its first retries are due. */
const HANGING_MS = 13_000
const MISSING_AFTER_MS = 300_000

export const deliveryCases: readonly DeliveryCase[] = [
  ...[200, 600, 60_000].map((bytes): DeliveryCase => ({
    title: `one by one, 200 a second, ${bytes}-byte bodies, 1 endpoint`,
    measure: (scene, { seconds }) => oneByOne(scene, seconds, { bytes, endpoints: 1 }),
  })),
  {
    title: 'one by one, 2 a second, 600-byte bodies, 100 endpoints',
    measure: (scene, { seconds }) => oneByOne(scene, seconds, { bytes: 600, endpoints: 100 }),
  },
  ...[16, 100].map((batch): DeliveryCase => ({
    title: `batches of ${batch}, 200 events a second, 600-byte bodies, 1 endpoint`,
    measure: (scene, { seconds }) => oneByOne(scene, seconds, { bytes: 600, endpoints: 1, batch }),
  })),
  {
    title: 'one by one, 200 a second, 600-byte, beside 50 hung',
    async measure(scene, { seconds }) {
      await warmUp(scene)
      for (let n = 0; n < HUNG; n++) await subscribe(scene, '/hung')
      return oneByOneWarm(scene, seconds, { bytes: 600, endpoints: 1 })
    },
  },
  {
    title: 'one by one, 200 a second, 600-byte, 3,000 hung retries',
    async measure(scene, { seconds }) {
      await warmUp(scene)
      for (let n = 0; n < HUNG; n++) await subscribe(scene, '/hung')
      await emitBatch(scene.ctx, HUNG_BACKLOG / HUNG, 600)
      await sleep(HANGING_MS)
      return oneByOneWarm(scene, seconds, { bytes: 600, endpoints: 1 })
    },
  },
  {
    title: 'one by one, 200 a second, 600-byte, backlog of another tenant',
    async measure(scene, { seconds, deliveries }) {
      await warmUp(scene)
      await fillOther(scene, deliveries)
      return oneByOneWarm(scene, seconds, { bytes: 600, endpoints: 1 })
    },
  },
  ...[200, 600, 60_000].map((bytes): DeliveryCase => ({
    title: `backlog, cold, ${bytes}-byte bodies, 1 endpoint`,
    // of large bodies fewer, which take as long
    measure: (scene, { deliveries }) =>
      drain(scene, bytes > LARGE_BYTES ? deliveries / 10 : deliveries, { bytes, endpoints: 1 }),
  })),
  {
    title: 'backlog, warm, 600-byte bodies, 1 endpoint',
    async measure(scene, { deliveries }) {
      await warmUp(scene)
      return drained(scene, deliveries, { bytes: 600, endpoints: 1 })
    },
  },
  ...[100, 5_000].map((endpoints): DeliveryCase => ({
    title: `backlog, cold, 600-byte bodies, ${endpoints} endpoints`,
    measure: (scene, { deliveries }) => drain(scene, deliveries, { bytes: 600, endpoints }),
  })),
  ...workerCases,
]

interface Load {
  readonly bytes: number
  readonly endpoints: number
  /** Events of one commit; one unless given. */
  readonly batch?: number
}

/** Of the commits of one event for each delivery. */
const paceOf = ({ bytes, endpoints, batch = 1 }: Load) => ({
  perSecond: PER_SECOND / endpoints / batch,
  bodyBytes: bytes,
  batch,
})

async function warmUp(scene: Scene): Promise<void> {
  await subscribe(scene, '/timed')
  await deliverFor(scene, WARM_UP_SECONDS)
}

async function oneByOne(scene: Scene, seconds: number, load: Load): Promise<DeliveryFigures> {
  await warmUp(scene)
  for (let n = 1; n < load.endpoints; n++) await subscribe(scene, '/timed')
  await latencies(scene, WARM_UP_SECONDS, paceOf(load))
  return oneByOneWarm(scene, seconds, load)
}

async function oneByOneWarm(scene: Scene, seconds: number, load: Load): Promise<DeliveryFigures> {
  const { result, ...cost } = await costOf(scene, PER_SECOND * seconds, () =>
    latencies(scene, seconds, paceOf(load)),
  )
  const arrived = result.filter(Number.isFinite)
  return {
    perSecond: PER_SECOND,
    ms: { p50: percentile(arrived, 0.5), p99: percentile(arrived, 0.99) },
    missing: result.length - arrived.length,
    duplicates: 0,
    ...cost,
  }
}

/** A backlog of a tenant with a receiver of its own. */
async function fillOther({ installation, receiverUrl }: Scene, deliveries: number): Promise<void> {
  const { system, contextFor } = installation.runtime
  const other = contextFor((await createTenant(system, { slug: 'other', name: 'Other' })).id)
  await createEndpoint(other, { name: 'other', url: `${receiverUrl}/other`, events: ['NEW_SOURCE'] })
  for (let left = deliveries; left > 0; left -= BATCH) await emitBatch(other, Math.min(BATCH, left), 600)
}

async function drain(scene: Scene, deliveries: number, load: Load): Promise<DeliveryFigures> {
  for (let n = 0; n < load.endpoints; n++) await subscribe(scene, '/cold')
  return drained(scene, deliveries, load)
}

/** Commits all of a backlog and then waits for the last outcome. */
async function drained(scene: Scene, deliveries: number, load: Load): Promise<DeliveryFigures> {
  await scene.arrivals()
  const events = Math.max(1, Math.round(deliveries / load.endpoints))
  const begunAt = performance.now()
  const isInTime = () => performance.now() - begunAt < MISSING_AFTER_MS
  let count = 0
  const { result: distinct, ...cost } = await costOf(scene, events * load.endpoints, async () => {
    for (let left = events; left > 0; left -= BATCH)
      await emitBatch(scene.ctx, Math.min(BATCH, left), load.bytes)
    let distinct = 0
    while (isInTime()) {
      await sleep(POLL_MS)
      const arrivals = await scene.arrivals()
      count += arrivals.count
      distinct += arrivals.distinct
      if (count >= events * load.endpoints && (await isEmpty(scene))) break
    }
    return distinct
  })
  return {
    perSecond: (count * 1_000) / (performance.now() - begunAt),
    missing: events - distinct,
    duplicates: count - events * load.endpoints,
    ...cost,
  }
}
