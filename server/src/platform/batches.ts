import { setTimeout as sleep } from 'node:timers/promises'

export interface BatchLimits {
  readonly sizeMax: number
  /** How long a batch waits for more after its first item. */
  readonly waitMs: number
}

/** Slices of at most `size` items, in order. */
export function* batchesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Collects the items of a stream into batches. When the source fails, the batch collected so far is yielded first. */
export async function* batchesFrom<T>(source: AsyncIterable<T>, limits: BatchLimits): AsyncGenerator<T[]> {
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
    // A source that waits ends by its own signal, not by `return`.
    next.catch(() => undefined)
    void items.return?.().catch(() => undefined)
  }
}
