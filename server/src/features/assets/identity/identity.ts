import { evidence, type Reason } from './evidence.ts'
import {
  byScore,
  compare,
  partialCluster,
  inKeyOrder,
  join,
  type PartialCluster,
  type Link,
} from './partial-cluster.ts'
import { attachWeakObservations } from './weak-observations.ts'
import { byValue } from './shared-identifier-values.ts'
import { isWeak, type IdentifierPeriod, type MatchRecord, type SharedValues } from './match-record.ts'
import { addressesApart, machinesApart } from './machines-apart.ts'
import { vetoValuesOf, declaredSame, vetoBetween, type Veto } from './vetoes.ts'
import { groupOf } from './evidence-weights.ts'
import { CANDIDATE_SCORE, LINK_SCORE } from './score-thresholds.ts'

/** A person's decision on two observations, by id. Takes precedence over every score; must_link also over every veto. */
export interface Constraint {
  readonly kind: 'must_link' | 'cannot_link'
  readonly a: string
  readonly b: string
}

/** The input of clustering. */
export interface ClusterInput {
  readonly matchRecords: readonly MatchRecord[]
  readonly constraints: readonly Constraint[]
  readonly shared: SharedValues
}

/** The observations of one asset, sorted by key, and the links that joined them. */
export interface Cluster {
  readonly members: readonly MatchRecord[]
  readonly links: readonly Link[]
}

/**
 * Entity resolution: groups observations of the same asset. The result depends on the set of observations, never on
 * their order.
 *
 * First, observations with must-link constraints are joined. Then pairs with a score of at least LINK_SCORE are joined,
 * highest score first and ties by key, unless a veto holds between the two clusters. Last, weak observations are
 * attached to the cluster that has their address; they never join two clusters.
 */
export function cluster(input: ClusterInput): Cluster[] {
  const rules = constraintsOf(input)
  const groups = joinMustLinked(input.matchRecords, rules)
  for (const group of new Set(groups.values())) {
    group.vetoValues = [vetoValuesOf(group.members, input.shared)]
    if (group.members.length > 1) group.declared = [[...group.members]]
  }
  const weak = input.matchRecords.filter(
    (record) => groups.get(record.id)?.members.length === 1 && isWeak(record, input.shared),
  )
  for (const record of weak) groups.delete(record.id)
  linkByScore(groups, rules, input.shared)
  const strong = [...new Set(groups.values())]
  return [...attachWeakObservations(strong, weak, { ...rules, shared: input.shared })]
    .map(inOrder)
    .sort(byFirstKey)
}

/** Two observations in different clusters that may be of one asset. */
export interface CandidatePair {
  readonly a: MatchRecord
  readonly b: MatchRecord
  readonly score: number
  readonly reasons: readonly Reason[]
  readonly veto: Veto | undefined
}

/**
 * Undefined if the score is below CANDIDATE_SCORE, or below LINK_SCORE with a veto that says that they are two machines.
 * That they seem apart is a question at any score.
 */
export function candidatePair(
  a: MatchRecord,
  b: MatchRecord,
  shared: SharedValues,
): CandidatePair | undefined {
  const found = evidence(a, b, shared)
  if (found.score < CANDIDATE_SCORE) return undefined
  const veto = vetoBetween(vetoValuesOf([a], shared), vetoValuesOf([b], shared))
  if (veto && found.score < LINK_SCORE) return undefined
  return { a, b, ...found, veto: veto ?? machinesApart([a], [b], shared) ?? addressesApart(a, b, found) }
}

/** Pairs that share at least one value that is not shared by many and that `isWanted` accepts. */
export function pairsOf(
  matchRecords: Iterable<MatchRecord>,
  shared: SharedValues,
  isWanted: (period: IdentifierPeriod) => boolean = () => true,
): [MatchRecord, MatchRecord][] {
  const pairs = new Map<string, [MatchRecord, MatchRecord]>()
  for (const [key, { period, holders }] of byValue(matchRecords)) {
    if (shared.has(key) || !isWanted(period)) continue
    holders.forEach((a, index) => {
      for (const b of holders.slice(index + 1)) pairs.set(pairKey(a, b), a.key < b.key ? [a, b] : [b, a])
    })
  }
  return [...pairs.values()]
}

interface Rules {
  readonly must: readonly Constraint[]
  readonly forbidden: (a: PartialCluster, b: PartialCluster) => boolean
}

function constraintsOf({ constraints }: ClusterInput): Rules {
  const cannot = new Map<string, Set<string>>()
  for (const { kind, a, b } of constraints) {
    if (kind !== 'cannot_link') continue
    cannot.set(a, (cannot.get(a) ?? new Set()).add(b))
    cannot.set(b, (cannot.get(b) ?? new Set()).add(a))
  }
  return {
    must: constraints.filter(({ kind }) => kind === 'must_link'),
    forbidden: (a, b) =>
      cannot.size > 0 &&
      a.members.some((mine) => {
        const forbidden = cannot.get(mine.id)
        return forbidden !== undefined && b.members.some((theirs) => forbidden.has(theirs.id))
      }),
  }
}

function joinMustLinked(matchRecords: readonly MatchRecord[], rules: Rules): Map<string, PartialCluster> {
  const groups = new Map(matchRecords.map((record) => [record.id, partialCluster(record)]))
  const byId = new Map(matchRecords.map((record) => [record.id, record]))
  const links = rules.must.flatMap(({ a, b }): Link[] => {
    const [one, other] = [byId.get(a), byId.get(b)]
    return one && other ? [{ because: 'person', ...inKeyOrder(one, other), score: 1, reasons: [] }] : []
  })
  for (const link of links.sort(byScore)) {
    const [a, b] = [groups.get(link.a.id), groups.get(link.b.id)]
    if (a && b && a !== b && !rules.forbidden(a, b)) join(groups, [a, b], link)
  }
  return groups
}

/**
 * Whether this value alone may reach LINK_SCORE, as addresses never do, and names only where people said so: pairs that
 * share no such one are not compared.
 */
export const canLink = ({ type, isRemembered = false }: IdentifierPeriod): boolean =>
  isRemembered || (groupOf[type] !== 'name' && groupOf[type] !== 'addr')

function linkByScore(groups: Map<string, PartialCluster>, rules: Rules, shared: SharedValues): void {
  const present = [...new Set(groups.values())].flatMap((group) => group.members)
  const edges = pairsOf(present, shared, canLink)
    .map(([a, b]): Link => ({ because: 'evidence', a, b, ...evidence(a, b, shared) }))
    .filter((link) => link.score >= LINK_SCORE && !addressesApart(link.a, link.b, link))
  for (const link of edges.sort(byScore)) {
    const [a, b] = [groups.get(link.a.id), groups.get(link.b.id)]
    if (a && b && a !== b && !rules.forbidden(a, b) && !contradict(a, b, shared)) join(groups, [a, b], link)
  }
}

function contradict(a: PartialCluster, b: PartialCluster, shared: SharedValues): boolean {
  const declared = [...a.declared, ...b.declared]
  const sameAs = declared.length > 0 ? declaredSame(declared) : undefined
  return (
    a.vetoValues.some((mine) =>
      b.vetoValues.some((theirs) => vetoBetween(mine, theirs, sameAs) !== undefined),
    ) || machinesApart(a.members, b.members, shared) !== undefined
  )
}

const pairKey = (a: MatchRecord, b: MatchRecord): string =>
  a.key < b.key ? `${a.key}\u0000${b.key}` : `${b.key}\u0000${a.key}`

function inOrder({ members, links }: PartialCluster): Cluster {
  return { members: members.toSorted((x, y) => compare(x.key, y.key)), links: links.toSorted(byScore) }
}

const byFirstKey = (x: Cluster, y: Cluster): number =>
  compare(x.members[0]?.key ?? '', y.members[0]?.key ?? '')
