import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { destroy, refuseReadOnly, type Connected } from './connect-primary.ts'

/** Checks every second, on a session of its own, that the database answers and takes writes; detects a failover. */
export interface DatabaseWatch {
  /** Checks at once, because a connection has failed. */
  readonly suspect: () => void
  /** When the database answered last; milliseconds of `performance.now()`. */
  readonly heardAt: () => number
  readonly close: () => void
}

export interface Watched {
  /** A session at the server that takes writes; throws while there is none. */
  readonly connect: () => Promise<Connected>
  /** The server no longer answers or takes no writes: every connection to it must be dropped. */
  readonly onLost: () => void
}

const ASK_EVERY_MS = 1_000
/** A server that does not answer for so long is treated as lost. */
const LOST_AFTER_MS = 5_000
const RECONNECT_MS = 250

export function watchDatabase({ connect, onLost }: Watched): DatabaseWatch {
  const closing = new AbortController()
  let heardAt = performance.now()
  let wake: () => void = () => {}

  const untilGone = async (session: pg.Client): Promise<void> => {
    const ended = new Promise<void>((resolve) => session.once('end', resolve))
    const isGone = ended.then(() => true)
    for (;;) {
      await refuseReadOnly(session, LOST_AFTER_MS)
      heardAt = performance.now()
      const woken = new Promise<boolean>((resolve) => (wake = () => resolve(false)))
      const pause = sleep(ASK_EVERY_MS, false, { ref: false })
      if ((await Promise.race([isGone, woken, pause])) || closing.signal.aborted) return
    }
  }
  const run = async (): Promise<void> => {
    let last: Connected | undefined
    while (!closing.signal.aborted) {
      const now = await connect().catch(() => undefined)
      // The session alone may have been ended; at the same server, the others are sound or fail by themselves.
      if (last && now?.server !== last.server) onLost()
      last = now
      if (!now) {
        await sleep(RECONNECT_MS, undefined, { ref: false })
        continue
      }
      await untilGone(now.client).catch(() => {
        onLost()
        last = undefined
      })
      destroy(now.client)
    }
  }
  void run()
  return {
    suspect: () => wake(),
    heardAt: () => heardAt,
    close() {
      closing.abort()
      wake()
    },
  }
}
