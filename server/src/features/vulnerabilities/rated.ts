import type { VulnerabilityFacts } from '#features/advisories/advisories.ts'
import type { RatedFacts } from './match-store.ts'
import { ratingOf } from './severity.ts'

/** Taken back by whoever published it: nothing matches it. */
export const isDead = (facts: Pick<VulnerabilityFacts, 'state'> | undefined): boolean =>
  facts?.state === 'rejected' || facts?.state === 'withdrawn'

export const rate = (facts: VulnerabilityFacts): RatedFacts => ({ facts, ...ratingOf(facts) })
