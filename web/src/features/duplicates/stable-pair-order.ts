interface PairOfAssets {
  readonly assetA: { readonly id: string }
  readonly assetB: { readonly id: string }
}

export const keyOfPair = ({ assetA, assetB }: PairOfAssets): string => `${assetA.id} ${assetB.id}`

/**
 * The list after a decision: every pair keeps its position, decided or not, with its current values; new pairs are
 * appended.
 */
export function inStableOrder<Pair extends PairOfAssets>(
  previous: readonly Pair[],
  current: readonly Pair[],
): readonly Pair[] {
  const now = new Map(current.map((pair) => [keyOfPair(pair), pair]))
  const known = new Set(previous.map(keyOfPair))
  return [
    ...previous.map((pair) => now.get(keyOfPair(pair)) ?? pair),
    ...current.filter((pair) => !known.has(keyOfPair(pair))),
  ]
}
