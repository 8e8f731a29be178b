import { setTimeout as sleep } from 'node:timers/promises'

export interface BatchLimits {
  readonly sizeMax: number
  /** After its first item a batch waits no longer than this for more. */
  readonly waitMs: number
}

/** Gathers what comes into batches. When the source fails, what came before is given first. */
export async function* inBatches<T>(source: AsyncIterable<T>, limits: BatchLimits): AsyncGenerator<T[]> {
  const items = source[Symbol.asyncIterator]()
  let batch: T[] = []
  let due: Promise<undefined> | undefined
  let next = items.next()
  try {
    for (;;) {
      const came = await Promise.race(due ? [next, due] : [next])
      if (came && !came.done) {
        batch.push(came.value)
        due ??= sleep(limits.waitMs, undefined, { ref: false })
        next = items.next()
      }
      if (batch.length > 0 && (!came || came.done || batch.length >= limits.sizeMax)) {
        yield batch
        batch = []
        due = undefined
      }
      if (came?.done) return
    }
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  } finally {
    // A source that waits ends when its signal tells it, not when it is asked to return.
    next.catch(() => undefined)
    void items.return?.().catch(() => undefined)
  }
}
