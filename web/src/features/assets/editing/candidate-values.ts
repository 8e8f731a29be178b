import type { Offered } from '#api/generated/asset.ts'
import { sourceName } from '../source-name.ts'

type Offer = Offered['offers'][number]

/** One candidate value and all sources that report it. */
export interface CandidateValue {
  readonly value: string
  readonly offers: readonly Offer[]
}

/** Groups the offers by value, the winning value first. */
export function candidateValues(offers: readonly Offer[]): readonly CandidateValue[] {
  const byValue = Map.groupBy(offers, ({ value }) => value.toLowerCase())
  return [...byValue.values()].map((same) => ({ value: same[0]?.value ?? '', offers: same }))
}

/** The source of a value for display: name of the person, recognition, or source. */
export function candidateSource({ source, setBy }: Pick<Offer, 'source' | 'setBy'>): string {
  if (source === 'manual') return `set by ${setBy ?? 'a person'}`
  return source === 'recognition' ? 'recognised' : sourceName(source)
}
