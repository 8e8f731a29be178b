import { setTimeout as sleep } from 'node:timers/promises'
import { readFileSync } from 'node:fs'
import { costOf, isEmpty, type DeliveryCost } from './delivery-cost.ts'
import type { Scene, WorkerProcess } from './webhook-installation.ts'
import { emitBatch, subscribe } from './webhook-speed.ts'

/** A backlog that is there already, and workers that are started then: what a crash or a night without a worker leaves. */
export interface ColdDrain extends DeliveryCost {
  readonly perSecond: number
  /** From the start of the process to the first arrival. */
  readonly startMs: number
  /** The most memory that the worker had, by then and in all. */
  readonly startMegabytes: number
  readonly peakMegabytes: number
  readonly missing: number
  readonly duplicates: number
}

export interface KilledDrain {
  readonly kills: number
  readonly lost: number
  readonly duplicates: number
  readonly duplicateShare: number
  /** From each kill until the next arrival, with a worker that is started at once. */
  readonly resumedMs: readonly number[]
}

const BATCH = 500
const POLL_MS = 10
const GIVE_UP_MS = 300_000

export async function drainCold(scene: Scene, deliveries: number, bytes: number): Promise<ColdDrain> {
  await fill(scene, deliveries, bytes)
  let first: { ms: number; megabytes: number } | undefined
  const { result, ...cost } = await costOf(scene, deliveries, async () => {
    const begunAt = performance.now()
    const worker = scene.startWorker()
    let [count, distinct] = [0, 0]
    while (performance.now() - begunAt < GIVE_UP_MS) {
      const arrivals = await scene.arrivals()
      count += arrivals.count
      distinct += arrivals.distinct
      if (count > 0) first ??= { ms: elapsedTo(arrivals.firstAt, begunAt), megabytes: peakMegabytes(worker) }
      if (count >= deliveries && (await isEmpty(scene))) break
      await sleep(POLL_MS)
    }
    return { count, distinct, ms: performance.now() - begunAt, peak: peakMegabytes(worker) }
  })
  return {
    perSecond: (result.count * 1_000) / (result.ms - (first?.ms ?? 0)),
    startMs: first?.ms ?? Number.NaN,
    startMegabytes: first?.megabytes ?? Number.NaN,
    peakMegabytes: result.peak,
    missing: deliveries - result.distinct,
    duplicates: result.count - result.distinct,
    ...cost,
  }
}

/** Kills the worker so many times, evenly over the backlog, each time with another one started at once. */
export async function drainKilled(scene: Scene, deliveries: number, kills: number): Promise<KilledDrain> {
  await fill(scene, deliveries, 600)
  const begunAt = performance.now()
  const resumedMs: number[] = []
  let worker = scene.startWorker()
  let [count, distinct, done] = [0, 0, 0]
  const look = async () => {
    const arrivals = await scene.arrivals()
    count += arrivals.count
    distinct += arrivals.distinct
    return arrivals
  }
  while (performance.now() - begunAt < GIVE_UP_MS && !(distinct >= deliveries && (await isEmpty(scene)))) {
    if (done < kills && distinct >= ((done + 1) * deliveries) / (kills + 1)) {
      const killedAt = performance.now()
      await worker.kill()
      worker = scene.startWorker()
      // what the dead one had sent arrives meanwhile
      while ((await look()).count > 0) await sleep(POLL_MS)
      let next = await look()
      while (next.count === 0) next = await look()
      resumedMs.push(elapsedTo(next.firstAt, killedAt))
      done += 1
    }
    await look()
    await sleep(POLL_MS)
  }
  const duplicates = count - distinct
  return {
    kills: done,
    lost: deliveries - distinct,
    duplicates,
    duplicateShare: duplicates / deliveries,
    resumedMs,
  }
}

async function fill(scene: Scene, deliveries: number, bytes: number): Promise<void> {
  await subscribe(scene, '/cold')
  for (let left = deliveries; left > 0; left -= BATCH)
    await emitBatch(scene.ctx, Math.min(BATCH, left), bytes)
  await scene.arrivals()
}

const elapsedTo = (at: number, since: number): number => at - performance.timeOrigin - since

/** The most resident memory that the process has had; NaN on another system than Linux. */
function peakMegabytes({ pid }: WorkerProcess): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1_024)
}
