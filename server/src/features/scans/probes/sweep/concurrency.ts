/**
 * Does `work` on every item, at most `limit` at once, and gives the results in the order in which they come.
 * Takes new items only while fewer than `limit` results wait to be fetched, so memory stays bounded however many
 * there are. The first failure ends it; items that are under way then are not waited for.
 */
export async function* concurrently<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const source = items[Symbol.iterator]()
  const results: R[] = []
  let failure: { readonly error: unknown } | undefined
  let running = 0
  let exhausted = false
  let wake = (): void => undefined

  const one = async (item: T): Promise<void> => {
    try {
      results.push(await work(item))
    } catch (error) {
      failure ??= { error }
    }
    running--
    start()
    wake()
  }
  const start = (): void => {
    while (!failure && !exhausted && running < limit && results.length < limit) {
      const next = source.next()
      if (next.done) exhausted = true
      else {
        running++
        void one(next.value)
      }
    }
  }

  for (;;) {
    start()
    if (results.length > 0) yield results.shift() as R
    else if (failure) throw failure.error
    else if (exhausted && running === 0) return
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}
