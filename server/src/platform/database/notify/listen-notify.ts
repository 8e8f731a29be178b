import { EventEmitter } from 'node:events'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openNotifyPace } from './notify-pace.ts'

/**
 * Publishes by topic that something was committed: at once in this process, and soon (LISTEN/NOTIFY) in every other
 * process of the same database. Notifications may be lost, so listeners also poll at long intervals.
 */
export interface ListenNotify {
  readonly announce: (topics: Iterable<string>) => void
  /**
   * Returns the function that unsubscribes. A topic may carry an id after a space, as in `scans 42`; a listener of
   * `scans` is called for all of them with `42`. Without an id, any of them may have changed.
   */
  readonly on: (topic: string, listener: (about?: string) => void) => () => void
  /** Sends the notifications that are queued, then stops. */
  readonly close: () => Promise<void>
}

export interface ListenNotifyOptions {
  /** One statement that PostgreSQL commits by itself. */
  readonly notify: (payloads: readonly string[]) => Promise<unknown>
  /** A session of its own. */
  readonly session: () => Promise<pg.Client>
}

/** PostgreSQL's channel. Never renamed: processes of two versions may run side by side during an upgrade. */
export const CHANNEL = 'rollcall'

const RECONNECT_MS = { first: 100, last: 5_000 }

export function openListenNotify(wire: ListenNotifyOptions): ListenNotify {
  const own = randomBytes(6).toString('base64url')
  const local = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  const sender = openSender((topics) => wire.notify(topics.map((topic) => `${own} ${topic}`)))
  let listening: Promise<void> | undefined

  const emit = (topic: string): void => {
    local.emit(topic)
    const [group, about] = splitAtSpace(topic)
    if (about !== '') local.emit(group, about)
  }
  const receive = ({ payload = '' }: pg.Notification): void => {
    const [sender, topic] = splitAtSpace(payload)
    if (sender !== own) emit(topic)
  }
  const missed = (): void => local.eventNames().forEach((topic) => local.emit(topic))
  return {
    announce(topics) {
      for (const topic of topics) {
        emit(topic)
        sender.send(topic)
      }
    },
    on(topic, listener) {
      listening ??= listen(wire.session, { receive, missed }, closing.signal)
      local.on(topic, listener)
      return () => void local.off(topic, listener)
    },
    async close() {
      closing.abort()
      await listening
      await sender.close()
    },
  }
}

/** The part before the first space and all that follows it. */
function splitAtSpace(text: string): [string, string] {
  const at = text.indexOf(' ')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Sends the first topic at once; topics that come while that is sent, and in a rest after it, share one statement. */
function openSender(send: (topics: readonly string[]) => Promise<unknown>) {
  const waiting = new Set<string>()
  const pace = openNotifyPace()
  let sending: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      const rest = pace.restMs()
      if (rest > 0) await sleep(rest)
      const topics = [...waiting]
      waiting.clear()
      const begunAt = performance.now()
      await send(topics).catch(() => {})
      pace.spend(performance.now() - begunAt)
    }
    sending = undefined
  }
  return {
    send(topic: string): void {
      waiting.add(topic)
      sending ??= run()
    },
    async close(): Promise<void> {
      await sending
    },
  }
}

/** Keeps a listening session open and reconnects when it ends, until `closing` is aborted. */
async function listen(
  open: ListenNotifyOptions['session'],
  { receive, missed }: { receive: (message: pg.Notification) => void; missed: () => void },
  signal: AbortSignal,
): Promise<void> {
  let pause = RECONNECT_MS.first
  while (!signal.aborted) {
    const session = await open().catch(() => undefined)
    if (session) {
      const ended = endOf(session, signal)
      session.on('notification', receive)
      await session.query(`listen ${CHANNEL}`).then(missed, () => {})
      pause = RECONNECT_MS.first
      await ended
      await session.end().catch(() => {})
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
    pause = Math.min(RECONNECT_MS.last, pause * 2)
  }
}

function endOf(session: pg.Client, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  session.once('end', resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  return promise
}
