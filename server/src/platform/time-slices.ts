import { setImmediate as turn } from 'node:timers/promises'

/** Work that takes longer in one piece holds up every request of the process. */
const SLICE_MS = 10
/** The clock is looked at once in so many items. */
const ITEMS_PER_LOOK = 64

/**
 * The items, some at a time, with a pause for other work of the process whenever 10 ms of handling them have passed: for
 * loops over as many items as somebody may send.
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
