/** Wakes a loop. A signal without a waiter ends the next wait immediately. */
export interface WakeSignal {
  readonly notify: () => void
  /** Resolves at the next signal, after `ms` at the latest. */
  readonly wait: (ms: number) => Promise<void>
}

export function openWakeSignal(): WakeSignal {
  let isSignalled = false
  let wake: (() => void) | undefined
  return {
    notify() {
      isSignalled = true
      wake?.()
    },
    async wait(ms) {
      if (!isSignalled) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      isSignalled = false
      wake = undefined
    },
  }
}
