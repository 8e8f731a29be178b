import type { Offered } from '#api/generated/operations.ts'
import { sourceName } from '../source-name.ts'

type Offer = Offered['offers'][number]

/** One candidate value and all sources that report it. */
export interface CandidateValue {
  readonly value: string
  readonly offers: readonly Offer[]
}

/** Offers of the same value beside each other, the winner first, so that only disagreement takes room. */
export function candidateValues(offers: readonly Offer[]): readonly CandidateValue[] {
  const byValue = Map.groupBy(offers, ({ value }) => value.toLowerCase())
  return [...byValue.values()].map((same) => ({ value: same[0]?.value ?? '', offers: same }))
}

/** Who offers it: a person by name, recognition, or a source. */
export function candidateSource({ source, setBy }: Pick<Offer, 'source' | 'setBy'>): string {
  if (source === 'manual') return `set by ${setBy ?? 'a person'}`
  return source === 'recognition' ? 'recognised' : sourceName(source)
}
