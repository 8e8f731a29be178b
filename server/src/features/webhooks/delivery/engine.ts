import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EngineRoom, RunningEngine } from '#platform/feature.ts'
import { waitAfter } from './backoff.ts'
import { openBell } from './wake-signal.ts'
import { release } from './outcome-store.ts'
import type { Schedule } from './deliver.ts'
import { openDispatch } from './dispatcher.ts'
import { DUE } from '../webhooks.ts'
import { holdLease } from './worker-lease.ts'

export interface EngineOptions {
  /** Deliveries under way at once. */
  readonly slots: number
  readonly schedule: Schedule
}

/** A hung receiver holds a slot for ten seconds, and some 70 kB. */
const DEFAULTS: EngineOptions = { slots: 1_024, schedule: waitAfter }
/** The longest attempt, and time to write its outcome. */
const STOP_MS = 10_500
const NO_LEASE_MS = 500
const PAUSE_MS = { first: 100, last: 5_000 }

export const engine: Engine = { name: 'webhooks', start: (room) => startEngine(room) }

/** Delivers what is due, together with the workers of other nodes, until it is stopped. */
export function startEngine(room: EngineRoom, options: Partial<EngineOptions> = {}): RunningEngine {
  const { system, database } = room
  const { log, db } = system
  const bell = openBell()
  const settings = { ...DEFAULTS, ...options }
  const dispatch = openDispatch({ system, ...settings, workerId: () => lease.id(), onFree: bell.ring })
  const stir = (tenantId?: string): void => {
    dispatch.stirred(tenantId)
    bell.ring()
  }
  const takeOver = async (workerId: number): Promise<void> => {
    const count = await release(db, workerId, [])
    if (count > 0) log.warn({ workerId, count }, 'deliveries of a lost worker are taken over')
    stir()
  }
  const lease = holdLease({ database, log, takeOver, onHeld: () => stir() })
  const silence = database.onCommit(DUE, stir)
  let isStopping = false

  const loop = async (): Promise<void> => {
    let pause = PAUSE_MS.first
    while (!isStopping) {
      try {
        const workerId = lease.id()
        await bell.wait(workerId === undefined ? NO_LEASE_MS : await dispatch.round(workerId))
        pause = PAUSE_MS.first
      } catch (error) {
        log.warn({ err: error }, 'deliveries wait for the database')
        dispatch.doubt()
        await bell.wait(pause)
        pause = Math.min(PAUSE_MS.last, pause * 2)
      }
    }
  }
  const looping = loop()
  return {
    async stop() {
      isStopping = true
      silence()
      bell.ring()
      await looping
      await Promise.race([dispatch.settled(), sleep(STOP_MS, undefined, { ref: false })])
      const workerId = lease.id()
      if (workerId !== undefined) await release(db, workerId, []).catch(() => {})
      await lease.close()
    },
  }
}
