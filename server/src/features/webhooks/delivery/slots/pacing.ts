/**
 * How many requests to one receiver are under way at once: as many as keep it busy, and no more. What is under way when a
 * worker is killed arrives twice, so a queue at the receiver is of no use. What is claimed beyond that waits here for
 * some milliseconds, so that claims stay large.
 */
export interface Pacing {
  /** So many more are worth a claim now. */
  readonly room: (endpointSeq: number) => number
  /** Resolves when a request may begin; undefined: at once. */
  readonly turn: (endpointSeq: number) => Promise<void> | undefined
  /** After a request that took so long. `hasFailed`: a refusal is no sign of how quick the receiver is. */
  readonly end: (endpointSeq: number, ms: number, hasFailed?: boolean) => void
}

/** With so many at once even a receiver that is near is busy. */
const AT_ONCE_MIN = 24
const AT_ONCE_MAX = 256
/** An answer that takes longer than twice the quickest one and this has waited behind others. */
const QUEUED_MS = 2
/** The quickest answer is forgotten by this much with each other one: receivers move. */
const AGING = 1.001
/** So long what was claimed may wait: its address and secret are those of the claim. */
const HELD_MS = 100
/** What ended in so much time is worth claiming ahead. */
const AHEAD_MS = 80
const AHEAD_MIN = 16
/** Number of endpoints whose state is held. */
const REMEMBERED_MAX = 10_000

interface Held {
  readonly since: number
  readonly begin: () => void
}

interface Receiver {
  active: number
  atOnce: number
  quickestMs: number
  readonly held: Held[]
  /** Requests that ended in this span of AHEAD_MS, and in the one before. */
  span: { readonly number: number; ended: number; readonly endedBefore: number }
  timer: NodeJS.Timeout | undefined
}

/** `clock` returns monotonic milliseconds. */
export function openPacing(clock: () => number = () => performance.now()): Pacing {
  const receivers = new Map<number, Receiver>()

  const receiverOf = (seq: number): Receiver => {
    const known = receivers.get(seq)
    if (known) return known
    const made = newReceiver()
    receivers.set(seq, made)
    return made
  }
  const beginHeld = (it: Receiver): void => {
    const heldTooLong = clock() - HELD_MS
    while (it.held[0] && (it.active < it.atOnce || it.held[0].since <= heldTooLong)) {
      it.active += 1
      it.held.shift()?.begin()
    }
    if (it.held[0]) it.timer ??= setTimeout(look, HELD_MS, it)
  }
  const look = (it: Receiver): void => {
    it.timer = undefined
    beginHeld(it)
  }
  return {
    room(seq) {
      const it = receivers.get(seq)
      return it ? roomOf(it, clock()) : Infinity
    },
    turn(seq) {
      const it = receiverOf(seq)
      if (it.active < it.atOnce && it.held.length === 0) {
        it.active += 1
        return undefined
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      it.held.push({ since: clock(), begin: resolve })
      beginHeld(it)
      return promise
    },
    end(seq, ms, hasFailed = false) {
      const it = receivers.get(seq)
      if (!it) return
      it.active -= 1
      spanOf(it, clock()).ended += 1
      learn(it, ms, hasFailed)
      beginHeld(it)
      if (it.active === 0 && receivers.size > REMEMBERED_MAX) receivers.delete(seq)
    },
  }
}

function roomOf(it: Receiver, now: number): number {
  const ahead = aheadOf(it, now)
  // few claims that are large
  return it.held.length > ahead / 2 ? 0 : Math.max(0, it.atOnce + ahead - it.active - it.held.length)
}

const newReceiver = (): Receiver => ({
  active: 0,
  atOnce: AT_ONCE_MIN,
  quickestMs: Infinity,
  held: [],
  span: { number: 0, ended: 0, endedBefore: 0 },
  timer: undefined,
})

/** More at once as long as answers take no longer for it. */
function learn(it: Receiver, ms: number, hasFailed: boolean): void {
  if (!hasFailed) it.quickestMs = Math.min(it.quickestMs * AGING, ms)
  const isQueued = ms > 2 * it.quickestMs + QUEUED_MS
  if (isQueued) it.atOnce = Math.max(AT_ONCE_MIN, it.atOnce - 1)
  else if (!hasFailed) it.atOnce = Math.min(AT_ONCE_MAX, it.atOnce + 1)
}

function aheadOf(it: Receiver, now: number): number {
  const { ended, endedBefore } = spanOf(it, now)
  return Math.max(AHEAD_MIN, ended, endedBefore)
}

function spanOf(it: Receiver, now: number): Receiver['span'] {
  const number = Math.floor(now / AHEAD_MS)
  if (number !== it.span.number)
    it.span = { number, ended: 0, endedBefore: number === it.span.number + 1 ? it.span.ended : 0 }
  return it.span
}
