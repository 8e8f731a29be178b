import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The longest that a thread's event loop was in one turn. */
export interface Slices {
  /** Processor time of the thread: what the work takes, whatever else the machine does. */
  readonly cpuMs: number
  /** Wall time beyond the timer's own: on a busy machine also the time in which the thread did not run. */
  readonly delayMs: number
}

/**
 * Measures the turns of this thread's event loop until it is stopped. A timer looks at the thread's processor clock
 * once a millisecond; what lies between two looks is at least one whole turn, so a slice is never reported too short.
 */
export function measureSlices(): { readonly stop: () => Slices } {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let longest = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, user + system)
    before = process.threadCpuUsage()
  }, 1)
  return {
    stop() {
      clearInterval(timer)
      delay.disable()
      const { user, system } = process.threadCpuUsage(before)
      return { cpuMs: Math.max(longest, user + system) / 1_000, delayMs: delay.max / 1e6 }
    },
  }
}
