/** Periodic work that may be expensive: it runs at the set interval, and less often when a run took long. */
export interface Throttle {
  /** Milliseconds until the next run is due; 0 is now. */
  readonly inMs: () => number
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  /** Makes the next run due at once. */
  readonly reset: () => void
}

/** At most a twentieth of the time, as long as the work takes less than half a second. */
const REST_PER_WORK = 19
/** One run that was slow by chance, on a machine that was busy, must not put off the next for a minute. */
const REST_MAX_MS = 10_000

/** `clock` counts milliseconds and never goes back. */
export function openThrottle(everyMs: number, clock: () => number = () => performance.now()): Throttle {
  let nextAt = -Infinity
  return {
    inMs: () => Math.max(0, nextAt - clock()),
    async run(work) {
      const begunAt = clock()
      try {
        return await work()
      } finally {
        nextAt = clock() + Math.max(everyMs, Math.min(REST_MAX_MS, REST_PER_WORK * (clock() - begunAt)))
      }
    },
    reset: () => (nextAt = -Infinity),
  }
}
