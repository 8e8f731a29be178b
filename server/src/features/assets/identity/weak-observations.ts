import type { Reason } from './evidence.ts'
import { isContainerMac } from './identifiers.ts'
import { machinesApart } from './machines-apart.ts'
import {
  byScore,
  partialCluster,
  inKeyOrder,
  join,
  type PartialCluster,
  type Link,
} from './partial-cluster.ts'
import {
  CHECK_IN_MS,
  oneHolder,
  overlap,
  periodsOfType,
  valueKey,
  type SharedValues,
  type MatchRecord,
  type IdentifierPeriod,
} from './match-record.ts'
import { ADDRESS_WEIGHT } from './evidence-weights.ts'

export interface AttachRules {
  readonly forbidden: (a: PartialCluster, b: PartialCluster) => boolean
  readonly shared: SharedValues
}

/**
 * Attaches each weak observation to the one cluster that has its address at the same time. Addresses are reassigned,
 * so of successive holders the last counts; with two at once the observation stays unattached. An observation without
 * a holder follows its weak neighbours on the address, or forms a cluster with them. A weak observation never joins two
 * clusters.
 */
export function attachWeakObservations(
  strong: readonly PartialCluster[],
  weak: readonly MatchRecord[],
  rules: AttachRules,
): PartialCluster[] {
  const holders = holdersByAddress(strong, rules)
  const choices = new Map(weak.map((weak) => [weak.id, choose(weak, holders, rules)]))
  const addressLinks = addressLinksAmong(weak, rules)
  const unattached = clusterUnattached(
    weak.filter((weak) => !isChoice(choices.get(weak.id))),
    addressLinks,
    rules,
  )
  const neighbourClusters = neighbourClustersOf(unattached, choices, addressLinks)
  const candidates: AttachCandidate[] = [...new Set(unattached.values())].map((group) => ({
    group,
    choice: onlyNeighbourCluster(group, { choices, neighbourClusters, rules }),
  }))
  for (const member of weak) {
    const choice = choices.get(member.id)
    if (isChoice(choice)) candidates.push({ group: partialCluster(member), choice })
  }
  return [...strong, ...attach(candidates, rules)]
}

interface AttachCandidate {
  readonly group: PartialCluster
  readonly choice: Choice | undefined
}

/** Returns the groups that could not be attached: two that cannot be one asset are not attached to one cluster. */
function attach(candidates: readonly AttachCandidate[], rules: AttachRules): PartialCluster[] {
  const attachable = candidates.filter(
    (candidate): candidate is AttachCandidate & { choice: Choice } => candidate.choice !== undefined,
  )
  const refused = attachable
    .sort((x, y) => byScore(x.choice.link, y.choice.link))
    .filter(({ group, choice: { cluster, link } }) => {
      if (!mayJoin(group, cluster, rules)) return true
      cluster.members.push(...group.members)
      cluster.links.push(...group.links, link)
      return false
    })
  return [...candidates.filter(({ choice }) => !choice), ...refused].map(({ group }) => group)
}

interface Choice {
  readonly cluster: PartialCluster
  readonly link: Link
}
type AttachResult = Choice | 'none' | 'contested'
interface Holder {
  readonly cluster: PartialCluster
  readonly record: MatchRecord
  readonly period: IdentifierPeriod
}

const isChoice = (finding: AttachResult | undefined): finding is Choice => typeof finding === 'object'

function holdersByAddress(clusters: readonly PartialCluster[], rules: AttachRules): Map<string, Holder[]> {
  const all = clusters.flatMap((cluster) =>
    cluster.members.flatMap((record) =>
      addressesOf(record, rules).map((period): Holder => ({ cluster, record, period })),
    ),
  )
  return Map.groupBy(all, ({ record, period }) => placeOf(record, period))
}

function choose(weak: MatchRecord, holders: Map<string, Holder[]>, rules: AttachRules): AttachResult {
  const last = new Map<PartialCluster, { until: number; link: Link }>()
  for (const period of addressesOf(weak, rules)) {
    for (const holder of holders.get(placeOf(weak, period)) ?? []) {
      if (!isOneHolder({ record: weak, period }, holder)) continue
      if (!mayJoin(partialCluster(weak), holder.cluster, rules)) continue
      const known = last.get(holder.cluster)
      last.set(holder.cluster, {
        until: Math.max(holder.period.lastSeen, known?.until ?? 0),
        link: moreConfident(known?.link, addressLink(weak, holder.record, period)),
      })
    }
  }
  const [best, next] = [...last].sort((x, y) => y[1].until - x[1].until)
  if (!best) return 'none'
  if (next && best[1].until - next[1].until <= CHECK_IN_MS) return 'contested'
  return { cluster: best[0], link: best[1].link }
}

/** Links between weak observations with the same address at the same time, or with the same MAC address too. */
function addressLinksAmong(weak: readonly MatchRecord[], rules: AttachRules): Link[] {
  const present = weak.flatMap((record) => addressesOf(record, rules).map((period) => ({ record, period })))
  return [...Map.groupBy(present, ({ record, period }) => placeOf(record, period)).values()].flatMap(
    (atOnePlace) =>
      atOnePlace.flatMap((one, index) =>
        atOnePlace
          .slice(index + 1)
          .filter((other) => isOneHolder(one, other) && macsAgree([one.record], [other.record]))
          .map((other) => addressLink(one.record, other.record, one.period)),
      ),
  )
}

function clusterUnattached(
  unattached: readonly MatchRecord[],
  addressLinks: readonly Link[],
  rules: AttachRules,
): Map<string, PartialCluster> {
  const groups = new Map(unattached.map((record) => [record.id, partialCluster(record)]))
  for (const link of addressLinks.toSorted(byScore)) {
    const [a, b] = [groups.get(link.a.id), groups.get(link.b.id)]
    if (a && b && a !== b && mayJoin(a, b, rules)) join(groups, [a, b], link)
  }
  return groups
}

/** For each unattached group, the clusters to which its weak neighbours are attached. */
function neighbourClustersOf(
  unattached: ReadonlyMap<string, PartialCluster>,
  choices: ReadonlyMap<string, AttachResult>,
  addressLinks: readonly Link[],
): Map<PartialCluster, Map<PartialCluster, Link>> {
  const neighbourClusters = new Map<PartialCluster, Map<PartialCluster, Link>>()
  for (const link of addressLinks) {
    for (const [member, neighbour] of [[link.a, link.b] as const, [link.b, link.a] as const]) {
      const [group, choice] = [unattached.get(member.id), choices.get(neighbour.id)]
      if (!group || !isChoice(choice)) continue
      const known = neighbourClusters.get(group) ?? new Map<PartialCluster, Link>()
      neighbourClusters.set(group, known.set(choice.cluster, moreConfident(known.get(choice.cluster), link)))
    }
  }
  return neighbourClusters
}

interface Found {
  readonly choices: ReadonlyMap<string, AttachResult>
  readonly neighbourClusters: ReadonlyMap<PartialCluster, ReadonlyMap<PartialCluster, Link>>
  readonly rules: AttachRules
}

function onlyNeighbourCluster(
  group: PartialCluster,
  { choices, neighbourClusters, rules }: Found,
): Choice | undefined {
  if (group.members.some((member) => choices.get(member.id) === 'contested')) return undefined
  const [only, ...others] = neighbourClusters.get(group) ?? []
  if (!only || others.length > 0 || !mayJoin(group, only[0], rules)) return undefined
  return { cluster: only[0], link: only[1] }
}

/** An address that one member has is no reason where another member is a machine apart. */
function mayJoin(weak: PartialCluster, cluster: PartialCluster, rules: AttachRules): boolean {
  if (!macsAgree(weak.members, cluster.members) || rules.forbidden(weak, cluster)) return false
  return machinesApart(weak.members, cluster.members, rules.shared) === undefined
}

/** False if both sides have MAC addresses and none in common: two machines used the same address. */
function macsAgree(a: readonly MatchRecord[], b: readonly MatchRecord[]): boolean {
  const mine = macsOf(a)
  if (mine.length === 0) return true
  const theirs = macsOf(b)
  return theirs.length === 0 || mine.some((mac) => theirs.includes(mac))
}

type Addressed = Pick<Holder, 'record' | 'period'>

/** Of one address: at the same time, or at any time with the same MAC address. */
export const isOneHolder = (one: Addressed, other: Addressed): boolean =>
  overlap(one.period, other.period) ||
  (oneHolder(one.period, other.period) && haveCommonMac(one.record, other.record))

function haveCommonMac(one: MatchRecord, other: MatchRecord): boolean {
  const theirs = macsOf([other])
  return macsOf([one]).some((mac) => !isContainerMac(mac) && theirs.includes(mac))
}

const macsOf = (members: readonly MatchRecord[]): string[] =>
  members.flatMap((record) => periodsOfType(record, 'mac')).map((period) => period.value)

const addressesOf = (record: MatchRecord, { shared }: AttachRules): IdentifierPeriod[] =>
  periodsOfType(record, 'ip').filter((period) => !shared.has(valueKey('ip', period.value)))

const placeOf = (record: MatchRecord, period: IdentifierPeriod): string => `${record.scope} ${period.value}`

function addressLink(one: MatchRecord, other: MatchRecord, { value }: IdentifierPeriod): Link {
  const reason: Reason = { group: 'addr', type: 'ip', value, weight: ADDRESS_WEIGHT.overlap }
  return { because: 'address', ...inKeyOrder(one, other), score: reason.weight, reasons: [reason] }
}

function moreConfident(one: Link | undefined, other: Link): Link {
  return one && byScore(one, other) <= 0 ? one : other
}
