import { doubtBetween, type Doubt } from '../identity/identity.ts'
import type { Neighbourhood } from './affected-observations.ts'
import { traitsOf, type Sighting, type Trait } from '../identity/match-record.ts'

/** What a clustering leaves open: whom to ask about, and whom to watch. */

export type AssetOf = ReadonlyMap<string, string>

/** Observations of which another sighting, though it says nothing new, may change what belongs together. */
export function watchedAmong(found: Neighbourhood, assetOf: AssetOf): Set<string> {
  const watched = new Set<string>()
  for (const [seen, other, trait] of meetings(found)) {
    const samePlace =
      trait.type === 'ip' && seen.scope === other.scope && areApart(found, assetOf, [seen, other])
    if (samePlace || agentsDiffer(seen, other)) watched.add(seen.id).add(other.id)
  }
  return watched
}

/** Pairs of observations, in two assets, that may be of one thing. What people separated is no question any more. */
export function doubtsAmong(found: Neighbourhood, assetOf: AssetOf): Doubt[] {
  const answered = new Set(
    found.constraints.filter(({ kind }) => kind === 'cannot_link').map(({ a, b }) => pairOf(a, b)),
  )
  const pairs = new Map<string, readonly [Sighting, Sighting]>()
  for (const [seen, other, , key] of meetings(found)) {
    const pair = pairOf(seen.id, other.id)
    if (found.shared.has(key) || pairs.has(pair) || answered.has(pair)) continue
    if (areApart(found, assetOf, [seen, other])) pairs.set(pair, [seen, other])
  }
  return [...pairs.values()].flatMap(([a, b]) => doubtBetween(a, b, found.shared) ?? [])
}

const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** Each of the core with each other that has one of its values. */
function* meetings(found: Neighbourhood): Generator<[Sighting, Sighting, Trait, string]> {
  for (const id of found.core) {
    const seen = found.sightings.get(id)
    if (!seen) continue
    for (const [key, trait] of seen.traits) {
      for (const other of found.holders.get(key) ?? []) if (other !== seen) yield [seen, other, trait, key]
    }
  }
}

function areApart(found: Neighbourhood, assetOf: AssetOf, pair: readonly [Sighting, Sighting]): boolean {
  const [one, other] = pair.map(({ id }) => assetOf.get(id) ?? found.observed.get(id)?.assetId)
  return one !== other
}

function agentsDiffer(a: Sighting, b: Sighting): boolean {
  const [mine, theirs] = [traitsOf(a, 'agent_key'), traitsOf(b, 'agent_key')]
  return (
    mine.length > 0 && theirs.length > 0 && !mine.some(({ value }) => theirs.some((it) => it.value === value))
  )
}
