/** So many at once; the others wait in order. */
export interface Turns {
  /** Waits for a turn, and answers how to give it back. */
  readonly take: () => Promise<() => void>
}

export function turnsFor(limit: number): Turns {
  const waiting: (() => void)[] = []
  let free = limit
  const giveBack = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    async take() {
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
