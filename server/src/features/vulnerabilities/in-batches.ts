/** Takes a long list in parts, one after the other. */
export async function inBatches<T>(
  items: readonly T[],
  size: number,
  work: (part: T[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) await work(items.slice(at, at + size))
}
