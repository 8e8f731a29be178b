/** Runs so many tasks at once; the others wait in order. */
export interface ConcurrencyLimit {
  /** Waits for a free slot; the returned function releases it. */
  readonly acquire: () => Promise<() => void>
}

export function concurrencyLimit(limit: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let free = limit
  const giveBack = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    async acquire() {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let isGiven = false
      return () => {
        if (!isGiven) giveBack()
        isGiven = true
      }
    },
  }
}
