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

/** Items that are sorted in one piece. */
const BLOCK = 2_048

/** The items in ascending order of `<`, like `sort()`, with the same pauses. */
export async function sortedInSlices<T extends string | number>(items: Iterable<T>): Promise<T[]> {
  const blocks: T[][] = []
  let block: T[] = []
  for await (const slice of inSlices(items)) {
    for (const item of slice) block.push(item)
    if (block.length < BLOCK) continue
    blocks.push(sorted(block))
    block = []
  }
  blocks.push(sorted(block))
  while (blocks.length > 1) {
    const [one = [], other = []] = blocks.splice(0, 2)
    const merged: T[] = []
    for await (const slice of inSlices(mergedOf(one, other))) for (const item of slice) merged.push(item)
    blocks.push(merged)
  }
  return blocks[0] ?? []
}

const sorted = <T extends string | number>(items: T[]): T[] =>
  items.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

function* mergedOf<T extends string | number>(one: readonly T[], other: readonly T[]): Iterable<T> {
  let [at, beside] = [0, 0]
  for (;;) {
    const left: T | undefined = one[at]
    const right: T | undefined = other[beside]
    if (left !== undefined && (right === undefined || left <= right)) {
      yield left
      at++
    } else if (right !== undefined) {
      yield right
      beside++
    } else return
  }
}
