import type { Offered } from '#api/generated/operations.ts'

type Offer = Offered['offers'][number]

/** One value and all that told it. */
export interface OfferedValue {
  readonly value: string
  readonly offers: readonly Offer[]
}

/** Offers of the same value beside each other, the winner first, so that only disagreement takes room. */
export function offeredValues(offers: readonly Offer[]): readonly OfferedValue[] {
  const byValue = Map.groupBy(offers, ({ value }) => value.toLowerCase())
  return [...byValue.values()].map((same) => ({ value: same[0]?.value ?? '', offers: same }))
}
