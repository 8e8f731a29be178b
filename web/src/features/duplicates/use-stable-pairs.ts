import { useState } from 'react'
import type { PossibleDuplicatesData } from '#api/generated/duplicates.ts'
import { keyOfPair, inStableOrder } from './stable-pair-order.ts'

export type Pair = PossibleDuplicatesData['possibleDuplicates']['items'][number]

/** The pairs in stable order; decided pairs stay in the list until the page is left. */
export function useStablePairs(
  current: readonly Pair[] | undefined,
): readonly { readonly key: string; readonly pair: Pair; readonly isOpen: boolean }[] {
  const [pairs, setPairs] = useState<readonly Pair[]>([])
  const [previous, setPrevious] = useState<readonly Pair[]>()
  if (current !== undefined && current !== previous) {
    setPrevious(current)
    setPairs(inStableOrder(pairs, current))
  }
  const open = new Set((current ?? pairs).map(keyOfPair))
  return pairs.map((pair) => ({ key: keyOfPair(pair), pair, isOpen: open.has(keyOfPair(pair)) }))
}
