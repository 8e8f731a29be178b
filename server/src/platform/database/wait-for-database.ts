import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable } from './unavailable-errors.ts'
import type { Log } from '../observability/log.ts'

export interface WaitOptions {
  readonly log: Pick<Log, 'warn'>
  /** Who waits is asked to stop. */
  readonly stopping?: Promise<unknown>
  /** Resolves after so many milliseconds; by the clock of the machine unless given. */
  readonly pause?: (ms: number) => Promise<unknown>
}

const WAIT_MS = 60_000
const TRY_EVERY_MS = 500
const TELL_EVERY_MS = 5_000

/** Retries `work`, which must be idempotent, for up to a minute while the database is unavailable, and logs each wait. */
export async function waitForDatabase<T>(
  { log, stopping, pause = sleep }: WaitOptions,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now()
  let toldAt = -Infinity
  let isStopping = false
  void stopping?.then(() => (isStopping = true))
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const waited = performance.now() - start
      if (!(error instanceof DatabaseUnavailable) || waited > WAIT_MS || isStopping) throw error
      if (performance.now() - toldAt >= TELL_EVERY_MS) {
        toldAt = performance.now()
        log.warn({ reason: error.message, seconds: Math.round(waited / 1_000) }, 'waiting for the database')
      }
      await Promise.race([pause(TRY_EVERY_MS), ...(stopping ? [stopping] : [])])
    }
  }
}
