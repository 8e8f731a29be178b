import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EngineContext, RunningEngine } from '#platform/feature.ts'
import type { Log } from '#platform/observability/log.ts'
import { waitAfter } from './backoff.ts'
import { openWakeSignal, type WakeSignal } from './wake-signal.ts'
import { releaseAll } from './outcome-store.ts'
import type { Schedule } from './deliver.ts'
import { openDispatcher, type Dispatcher } from './dispatcher.ts'
import { DUE } from './due-topic.ts'
import { offerLocally } from './claimed-inserts/local-worker.ts'
import { holdLease, type WorkerLease } from './worker-lease.ts'

export interface EngineOptions {
  /** Maximum number of concurrent deliveries. */
  readonly slots: number
  readonly schedule: Schedule
}

/** A hung receiver occupies a slot for ten seconds and some 70 kB. */
const DEFAULTS: EngineOptions = { slots: 1_024, schedule: waitAfter }
/** Maximum duration of an attempt, plus time to write its outcome. */
const STOP_MS = 10_500
const NO_LEASE_MS = 500
const PAUSE_MS = { first: 100, last: 1_000 }

export const engine: Engine = { name: 'webhooks', start: (room) => startEngine(room) }

/** Sends due deliveries, together with workers on other nodes, until it is stopped. */
export function startEngine(room: EngineContext, options: Partial<EngineOptions> = {}): RunningEngine {
  const { system, database } = room
  const { log, db } = system
  const wakeSignal = openWakeSignal()
  const settings = { ...DEFAULTS, ...options }
  const dispatcher = openDispatcher({
    system,
    ...settings,
    workerId: () => lease.id(),
    onFree: wakeSignal.notify,
  })
  const wake = (tenantId?: string): void => {
    dispatcher.mayBeDue(tenantId)
    wakeSignal.notify()
  }
  const takeOver = async (workerId: number): Promise<void> => {
    const count = await releaseAll(db, workerId)
    if (count > 0) log.warn({ workerId, count }, 'deliveries of a lost worker are taken over')
    wake()
  }
  const lease = holdLease({ database, log, takeOver, onHeld: () => wake() })
  const stopListening = database.onCommit(DUE, wake)
  const stopOffering = offerLocally(system, dispatcher)
  let isStopping = false

  const looping = deliverUntil(() => isStopping, { dispatcher, lease, wakeSignal, log })
  return {
    async stop() {
      isStopping = true
      stopListening()
      stopOffering()
      wakeSignal.notify()
      await looping
      await Promise.race([dispatcher.drained(), sleep(STOP_MS, undefined, { ref: false })])
      const workerId = lease.id()
      if (workerId !== undefined) await releaseAll(db, workerId).catch(() => {})
      await lease.close()
    },
  }
}

interface LoopParts {
  readonly dispatcher: Dispatcher
  readonly lease: WorkerLease
  readonly wakeSignal: WakeSignal
  readonly log: Log
}

/** Runs the dispatcher; while the database is unavailable, with growing pauses. */
async function deliverUntil(
  isStopping: () => boolean,
  { dispatcher, lease, wakeSignal, log }: LoopParts,
): Promise<void> {
  let pause = PAUSE_MS.first
  while (!isStopping()) {
    try {
      const workerId = lease.id()
      await wakeSignal.wait(workerId === undefined ? NO_LEASE_MS : await dispatcher.runOnce(workerId))
      pause = PAUSE_MS.first
    } catch (error) {
      log.warn({ err: error }, 'deliveries wait for the database')
      dispatcher.expectLostClaims()
      await wakeSignal.wait(pause)
      pause = Math.min(PAUSE_MS.last, pause * 2)
    }
  }
}
