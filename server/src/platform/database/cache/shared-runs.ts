/** Runs of queries, each known by a key. */
export interface SharedRuns {
  /**
   * Runs `now` where nothing of this key runs. Else waits: while one runs, all who come share the next, which runs `later`
   * once, and begins after each of them asked. With `isAlone` the caller runs `later` for himself.
   */
  readonly run: <T>(key: string, work: RunWork<T>) => Promise<T>
}

export interface RunWork<T> {
  readonly now: () => Promise<T>
  readonly later: () => Promise<T>
  readonly isAlone: boolean
}

export function sharedRuns(): SharedRuns {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<unknown>>()

  async function begin<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = work()
    running.set(key, mine)
    try {
      return await mine
    } finally {
      if (running.get(key) === mine) running.delete(key)
    }
  }

  function beginNext<T>(key: string, current: Promise<unknown>, work: () => Promise<T>): Promise<T> {
    const mine = current.catch(ignore).then(() => {
      next.delete(key)
      return begin(key, work)
    })
    next.set(key, mine)
    return mine
  }

  return {
    async run<T>(key: string, { now, later, isAlone }: RunWork<T>): Promise<T> {
      const joined = isAlone ? undefined : (next.get(key) as Promise<T> | undefined)
      // what failed for one need not fail for another
      if (joined) return joined.catch(() => begin(key, later))
      const current = running.get(key)
      if (!current) return begin(key, now)
      if (!isAlone) return beginNext(key, current, later)
      await current.catch(ignore)
      return begin(key, later)
    },
  }
}

function ignore(): void {}
