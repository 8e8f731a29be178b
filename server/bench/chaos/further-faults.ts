import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseAddress } from '#platform/database/address.ts'
import type { NetworkFault } from './fault-proxy.ts'
import { answers, ask, until, type FaultInjection, type FaultTarget, type Surroundings } from './faults.ts'

const HOUR_MS = 3_600_000

const brokenLink =
  (side: keyof Surroundings['links'], fault: NetworkFault): FaultInjection =>
  async ({ links, brokenSeconds, superuser }) => {
    links[side].begin(fault)
    await sleep(brokenSeconds * 1_000)
    links[side].end()
    return untilWorkGoesOn(superuser)
  }

/** The clocks of all nodes jump, and jump back. */
const wrongClocks =
  (ms: number): FaultInjection =>
  async ({ workers, brokenSeconds, superuser }) => {
    workers.forEach((worker) => worker.shiftClock(ms))
    await sleep(brokenSeconds * 1_000)
    const goesOnAfterMs = await untilWorkGoesOn(superuser)
    workers.forEach((worker) => worker.shiftClock(0))
    return goesOnAfterMs
  }

export const furtherFaults = {
  'database cut': brokenLink('database', 'cut'),
  'database slow': brokenLink('database', 'slow'),
  'database reset': brokenLink('database', 'reset'),
  'database half-open': brokenLink('database', 'half-open'),
  'database unheard': brokenLink('database', 'unheard'),
  'receiver cut': brokenLink('receiver', 'cut'),
  'receiver slow': brokenLink('receiver', 'slow'),
  'receiver reset': brokenLink('receiver', 'reset'),
  'receiver half-open': brokenLink('receiver', 'half-open'),
  'clock +1 h': wrongClocks(HOUR_MS),
  'clock -1 h': wrongClocks(-HOUR_MS),
  /** Until work goes on after there is room again. */
  async 'disk full'({ disk, brokenSeconds, superuser }: FaultTarget) {
    if (disk === undefined) return undefined
    const ballast = join(disk, 'ballast')
    await fill(ballast, disk)
    await sleep(brokenSeconds * 1_000)
    await rm(ballast, { force: true })
    await until(() => answers(superuser))
    return untilWorkGoesOn(superuser)
  },
} satisfies Record<string, FaultInjection>

const PART = Buffer.alloc(1 << 20)

/** Writes until there is no room; what the database takes meanwhile is taken from it too. */
async function fill(path: string, disk: string): Promise<void> {
  for (;;) {
    const { bavail, bsize } = await statfs(disk)
    const part = PART.subarray(0, Math.min(PART.length, Number(bavail) * Number(bsize)))
    if (part.length === 0) return
    const isWritten = await writeFile(path, part, { flag: 'a' }).then(
      () => true,
      () => false,
    )
    if (!isWritten) return
  }
}

/** How long it takes until one more delivery ended, or none is left. */
export async function untilWorkGoesOn(superuser: DatabaseAddress): Promise<number> {
  const startedAt = performance.now()
  const count = async () => {
    const [row] = await ask<{ ended: string; left: boolean }>(
      superuser,
      'select (select count(*) from webhook_delivery_log) as ended, exists (select from webhook_deliveries) as left',
    )
    if (!row) throw new Error('no row')
    return row
  }
  let before: string | undefined
  await until(async () => {
    const { ended, left } = await count()
    before ??= ended
    return !left || ended !== before
  })
  return performance.now() - startedAt
}
