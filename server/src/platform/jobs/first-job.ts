import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { QueueContext } from './queue.ts'

/** How often due jobs are looked for when no wake-up arrives, for example from another process. */
const POLL_MS = 250

/** Resolves to true when a job is due that nobody works on, to false when the signal aborts. */
export async function firstJob({ system, database }: QueueContext, signal: AbortSignal): Promise<boolean> {
  let wake: () => void = () => {}
  const silence = database.onCommit('jobs', () => wake())
  signal.addEventListener('abort', () => wake())
  try {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      if (await isAnyDue(system)) return true
      await Promise.race([woken, sleep(POLL_MS, undefined, { ref: false })])
    }
    return false
  } finally {
    silence()
  }
}

const isAnyDue = (system: QueueContext['system']): Promise<boolean> =>
  system.db
    .one(
      sql<{ isDue: boolean }>`
        select exists (
          select from jobs
          where failed_at is null and run_at <= clock_timestamp()
            and (leased_until is null or leased_until < clock_timestamp())
            and tenant_id not in (select m.id from tenant_moves m)
        ) as "isDue"`,
    )
    .then(
      ({ isDue }) => isDue,
      (error: unknown) => {
        system.log.error({ err: error }, 'job queue')
        return false
      },
    )
