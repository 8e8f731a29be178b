import type { Reason } from './evidence.ts'
import type { MatchRecord } from './match-record.ts'
import type { VetoValues } from './vetoes.ts'

/** A cluster during clustering; mutable. */
export interface PartialCluster {
  members: MatchRecord[]
  links: Link[]
  vetoValues: VetoValues[]
  /** Groups that must-link constraints joined. */
  declared: (readonly MatchRecord[])[]
}

/** Why two observations are in one cluster. */
export interface Link {
  readonly because: 'person' | 'evidence' | 'address'
  readonly a: MatchRecord
  readonly b: MatchRecord
  readonly score: number
  readonly reasons: readonly Reason[]
}

export const partialCluster = (...members: MatchRecord[]): PartialCluster => ({
  members,
  links: [],
  vetoValues: [],
  declared: [],
})

/** Moves the smaller cluster into the larger; `groups` maps observation ids to clusters. */
export function join(
  groups: Map<string, PartialCluster>,
  [a, b]: readonly [PartialCluster, PartialCluster],
  link: Link,
): void {
  const [large, small] = a.members.length >= b.members.length ? [a, b] : [b, a]
  large.members.push(...small.members)
  large.links.push(...small.links, link)
  large.vetoValues.push(...small.vetoValues)
  large.declared.push(...small.declared)
  for (const member of small.members) groups.set(member.id, large)
}

/** Highest score first; ties by key, so that the order of arrival does not matter. */
export function byScore(x: Link, y: Link): number {
  return y.score - x.score || compare(x.a.key, y.a.key) || compare(x.b.key, y.b.key)
}

export function inKeyOrder(one: MatchRecord, other: MatchRecord): { a: MatchRecord; b: MatchRecord } {
  return one.key < other.key ? { a: one, b: other } : { a: other, b: one }
}

export const compare = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0)
