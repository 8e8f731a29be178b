import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { costOf, isEmpty } from './delivery-cost.ts'
import type { CaseSize, DeliveryCase, DeliveryFigures, WorkerStart } from './delivery-figures.ts'
import type { Arrivals } from './webhook-receiver.ts'
import type { Scene, WorkerProcess } from './webhook-installation.ts'
import { emitBatch, subscribe } from './webhook-speed.ts'

const BATCH = 500
const BODY_BYTES = 600
const KILLS = 5
const POLL_MS = 5
const GIVE_UP_MS = 300_000
/** After so long without an arrival, nothing more comes of what a killed worker has sent. */
const QUIET_MS = 20

/** Backlogs that are there already, and workers that are started then, as after a crash or a night without any. */
export const workerCases: readonly DeliveryCase[] = [
  {
    title: 'one delivery waits, a worker process is started',
    startsWorkers: true,
    measure: (scene) => drainedByNew(scene, 1),
  },
  {
    title: 'backlog waits, a worker process is started, 600-byte, 1 endpoint',
    startsWorkers: true,
    measure: (scene, { deliveries }) => drainedByNew(scene, deliveries),
  },
  {
    title: `backlog waits, worker process killed ${KILLS} times, 600-byte, 1 endpoint`,
    startsWorkers: true,
    measure: drainedByKilled,
  },
]

async function drainedByNew(scene: Scene, deliveries: number): Promise<DeliveryFigures> {
  await fill(scene, deliveries)
  const counts = countsOf(scene)
  const { result, ...cost } = await costOf(scene, deliveries, async () => {
    const begunAt = performance.now()
    const worker = scene.startWorker()
    let first: Omit<WorkerStart, 'peakMegabytes'> | undefined
    while (performance.now() - begunAt < GIVE_UP_MS && !(await isDone(scene, counts.distinct, deliveries))) {
      const { count, firstAt } = await counts.look()
      if (count > 0) first ??= { ms: elapsedTo(firstAt, begunAt), megabytes: peakMegabytes(worker) }
      await sleep(POLL_MS)
    }
    const started = first ?? { ms: Number.NaN, megabytes: Number.NaN }
    return {
      worker: { ...started, peakMegabytes: peakMegabytes(worker) },
      seconds: (performance.now() - begunAt - started.ms) / 1_000,
    }
  })
  return {
    perSecond: deliveries / result.seconds,
    missing: deliveries - counts.distinct,
    duplicates: counts.count - counts.distinct,
    worker: result.worker,
    ...cost,
  }
}

/** Kills the worker evenly over the backlog, each time with another one started at once. */
async function drainedByKilled(scene: Scene, { deliveries }: CaseSize): Promise<DeliveryFigures> {
  await fill(scene, deliveries)
  const counts = countsOf(scene)
  const resumedMs: number[] = []
  const begunAt = performance.now()
  const { result: _, ...cost } = await costOf(scene, deliveries, async () => {
    let worker = scene.startWorker()
    while (performance.now() - begunAt < GIVE_UP_MS && !(await isDone(scene, counts.distinct, deliveries))) {
      const killAt = ((resumedMs.length + 1) * deliveries) / (KILLS + 1)
      if (resumedMs.length < KILLS && counts.distinct >= killAt) {
        const killedAt = performance.now()
        await worker.kill()
        worker = scene.startWorker()
        resumedMs.push(elapsedTo(await nextArrival(counts), killedAt))
      }
      await counts.look()
      await sleep(POLL_MS)
    }
  })
  return {
    perSecond: (deliveries * 1_000) / (performance.now() - begunAt),
    missing: deliveries - counts.distinct,
    duplicates: counts.count - counts.distinct,
    resumedMs,
    ...cost,
  }
}

/** When something arrives that was not on its way already. */
async function nextArrival(counts: Counts): Promise<number> {
  while ((await counts.look()).count > 0) await sleep(QUIET_MS)
  for (;;) {
    const { count, firstAt } = await counts.look()
    if (count > 0) return firstAt
    await sleep(POLL_MS)
  }
}

type Counts = ReturnType<typeof countsOf>

/** Arrivals, and those of them that were the first of their event. */
function countsOf(scene: Scene) {
  const counts = {
    count: 0,
    distinct: 0,
    async look(): Promise<Arrivals> {
      const arrivals = await scene.arrivals()
      counts.count += arrivals.count
      counts.distinct += arrivals.distinct
      return arrivals
    },
  }
  return counts
}

const isDone = async (scene: Scene, distinct: number, deliveries: number): Promise<boolean> =>
  distinct >= deliveries && (await isEmpty(scene))

async function fill(scene: Scene, deliveries: number): Promise<void> {
  await subscribe(scene, '/cold')
  for (let left = deliveries; left > 0; left -= BATCH)
    await emitBatch(scene.ctx, Math.min(BATCH, left), BODY_BYTES)
  await scene.arrivals()
}

const elapsedTo = (at: number, since: number): number => at - performance.timeOrigin - since

/** The most resident memory that the process has had; NaN on another system than Linux. */
function peakMegabytes({ pid }: WorkerProcess): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1_024)
}
