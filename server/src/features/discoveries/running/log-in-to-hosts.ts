import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/context.ts'
import * as hostStore from '../host-store.ts'
import { logInToHost } from './log-in-to-host.ts'
import type { Attempt } from './attempt.ts'

/** How long until new hosts of the sweep are looked for. */
const LOOK_MS = 500

/** Logs in to the live hosts as the sweep finds them, so many at once, until the sweep is through and none is left. */
export async function logInToHosts(ctx: Ctx, attempt: Attempt): Promise<void> {
  const { run, signal, pause, pace } = attempt
  const underWay = new Map<string, Promise<void>>()
  const faults: unknown[] = []
  const begin = (host: Parameters<typeof logInToHost>[2]): void => {
    const ended = logInToHost(ctx, attempt, host)
      .catch((error: unknown) => void faults.push(error))
      .finally(() => underWay.delete(host.address))
    underWay.set(host.address, ended)
  }
  try {
    for (;;) {
      signal.throwIfAborted()
      if (faults.length > 0) throw faults[0]
      const { isSwept } = attempt
      const free = pause.aborted ? 0 : pace.atOnce - underWay.size
      const hosts = free > 0 ? await hostStore.hostsToAsk(ctx, run.id, [...underWay.keys()], free) : []
      hosts.forEach(begin)
      if (underWay.size === 0 && (pause.aborted || isSwept)) return
      const isFull = underWay.size >= pace.atOnce
      await Promise.race([...underWay.values(), ...(isFull ? [] : [sleep(LOOK_MS, undefined, { signal })])])
    }
  } finally {
    await Promise.allSettled(underWay.values())
  }
}
