import { setImmediate as turn } from 'node:timers/promises'

/** Synchronous work that takes longer blocks the event loop, and with it every request of the process. */
const SLICE_MS = 10
/** The clock is read once per so many items. */
const ITEMS_PER_LOOK = 64

/**
 * The items in slices; yields to the event loop (setImmediate) whenever handling them has taken 10 ms. For loops whose
 * length a client decides.
 */
export async function* inSlices<T>(items: Iterable<T>): AsyncIterable<readonly T[]> {
  let slice: T[] = []
  let begun = performance.now()
  for (const item of items) {
    slice.push(item)
    if (slice.length < ITEMS_PER_LOOK) continue
    yield slice
    slice = []
    if (performance.now() - begun < SLICE_MS) continue
    await turn()
    begun = performance.now()
  }
  if (slice.length > 0) yield slice
}
