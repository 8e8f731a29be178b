import { tooMany } from '#platform/errors.ts'

const WINDOW_MS = 60_000

/**
 * Requests of each key in this minute, in this process alone: a key is one host, which speaks to one process at a time,
 * and a count that all share would cost a commit for each request.
 */
export interface RequestCounts extends AsyncDisposable {
  /** Throws 429 from the request on that is one too many in this minute. */
  readonly refuseOver: (key: string, limit: number, now: Date) => void
}

export function openRequestCounts(): RequestCounts {
  const counts = new Map<string, number>()
  let until = 0
  return {
    refuseOver(key, limit, now) {
      const at = now.getTime()
      if (at >= until || at < until - WINDOW_MS) {
        counts.clear()
        until = at + WINDOW_MS
      }
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > limit) throw tooMany(Math.ceil((until - at) / 1_000))
    },
    async [Symbol.asyncDispose]() {
      counts.clear()
    },
  }
}
