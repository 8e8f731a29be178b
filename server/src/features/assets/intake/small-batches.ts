import { setTimeout as sleep } from 'node:timers/promises'
import { atomically, type Ctx } from '#platform/context.ts'
import { lockTenant, tryLockTenant } from './observation-read-store.ts'

/** How many assets a job that goes through all assets of a tenant takes in one transaction, which the intake may have to wait for. */
export const ASSETS_AT_ONCE = 50
const PAUSE_MS = 100
/** How often in a row the job gives way; then it waits for its turn as the intake does. */
const TRIES_MAX = 20

/**
 * Does `work` under the tenant's lock, one transaction after the other, for as long as it answers that there is more.
 * Whoever holds the lock or waits for it, such as the intake, goes first.
 */
export async function inSmallBatches(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  let tries = 0
  while (!signal?.aborted) {
    const done = await atomically(ctx, async (inner) => {
      if (tries >= TRIES_MAX) await lockTenant(inner)
      else if (!(await tryLockTenant(inner))) return 'taken'
      return (await work(inner)) ? 'more' : 'all'
    })
    if (done === 'all') return
    tries = done === 'taken' ? tries + 1 : 0
    if (done === 'taken') await sleep(PAUSE_MS)
  }
}
