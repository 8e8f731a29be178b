/**
 * How soon a process may notify again: each NOTIFY takes a lock of the whole database server at its commit, so a process
 * spends a fifth of its time on them at most. What it has not spent lately it may spend at once: single commits do not
 * wait for each other.
 */
export interface NotifyPace {
  /** Milliseconds to rest before the next. */
  readonly restMs: () => number
  readonly spend: (ms: number) => void
}

const SHARE = 1 / 5
/** What may be spent at once. */
const SAVED_MS = 4
/** Of one that took less, so that there are no more than 400 a second in the long run. */
const LEAST_MS = 0.5
const REST_MS_MOST = 20

/** `clock` returns monotonic milliseconds. */
export function openNotifyPace(clock: () => number = () => performance.now()): NotifyPace {
  let [left, at] = [SAVED_MS, clock()]
  const refill = (): void => {
    const now = clock()
    left = Math.min(SAVED_MS, left + (now - at) * SHARE)
    at = now
  }
  return {
    restMs() {
      refill()
      return Math.max(0, -left / SHARE)
    },
    spend(ms) {
      refill()
      left = Math.max(-REST_MS_MOST * SHARE, left - Math.max(LEAST_MS, ms))
    },
  }
}
