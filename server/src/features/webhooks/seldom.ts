/** Work that must be done now and then, and may be dear: never more often than set, nor for more than a share of the time. */
export interface Seldom {
  /** Until it may be done again, in milliseconds; 0 is now. */
  readonly inMs: () => number
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  /** It may be done at once. */
  readonly reset: () => void
}

/** At most a twentieth of the time. */
const REST_PER_WORK = 19

/** `clock` counts milliseconds and never goes back. */
export function openSeldom(everyMs: number, clock: () => number = () => performance.now()): Seldom {
  let nextAt = -Infinity
  return {
    inMs: () => Math.max(0, nextAt - clock()),
    async run(work) {
      const begunAt = clock()
      try {
        return await work()
      } finally {
        nextAt = clock() + Math.max(everyMs, REST_PER_WORK * (clock() - begunAt))
      }
    },
    reset: () => (nextAt = -Infinity),
  }
}
