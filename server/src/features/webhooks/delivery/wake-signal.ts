/** Wakes a loop. A ring while nobody waits is kept for the next wait. */
export interface Bell {
  readonly ring: () => void
  /** Until the bell rings, but at most `ms`. */
  readonly wait: (ms: number) => Promise<void>
}

export function openBell(): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async wait(ms) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      hasRung = false
      wake = undefined
    },
  }
}
