/** Runs periodic work at an interval, and less often when a run was slow. */
export interface Throttle {
  /** Milliseconds until the next run is due; 0 is now. */
  readonly inMs: () => number
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  /** Makes the next run due at once. */
  readonly reset: () => void
}

/** Pause as a multiple of the run's duration: the work takes at most a twentieth of the time. */
const REST_PER_WORK = 19
/** Upper limit of the pause, so that a single slow run does not delay the next one for a minute. */
const REST_MAX_MS = 10_000

/** `clock` returns monotonic milliseconds. */
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
