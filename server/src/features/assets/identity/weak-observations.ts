import type { Reason } from './evidence.ts'
import { bySureness, gathering, inKeyOrder, join, type Gathering, type Link } from './partial-cluster.ts'
import {
  CHECK_IN_MS,
  together,
  traitsOf,
  valueKey,
  type SharedValues,
  type Sighting,
  type Trait,
} from './match-record.ts'
import { ADDRESS_WEIGHT } from './evidence-weights.ts'

export interface LeafRules {
  readonly forbidden: (a: Gathering, b: Gathering) => boolean
  readonly shared: SharedValues
}

/**
 * Hangs each thin observation on the one cluster that holds its address at the same time. Addresses pass from
 * hand to hand, so of holders one after the other the last counts; two at once are a question that nobody here
 * can answer, and the observation stays for itself. What finds no holder follows its thin neighbours, and what
 * finds neither makes a cluster with those. A leaf never makes two clusters one.
 */
export function attachLeaves(
  strong: readonly Gathering[],
  thin: readonly Sighting[],
  rules: LeafRules,
): Gathering[] {
  const holders = holdersByAddress(strong, rules)
  const choices = new Map(thin.map((leaf) => [leaf.id, choose(leaf, holders, rules)]))
  const meetings = meetingsAmong(thin, rules)
  const loose = gatherLoose(
    thin.filter((leaf) => !isChoice(choices.get(leaf.id))),
    meetings,
    rules,
  )
  const leaders = leadersOf(loose, choices, meetings)
  const branches: Branch[] = [...new Set(loose.values())].map((group) => ({
    group,
    choice: onlyLeader(group, { choices, leaders, rules }),
  }))
  for (const leaf of thin) {
    const choice = choices.get(leaf.id)
    if (isChoice(choice)) branches.push({ group: gathering(leaf), choice })
  }
  return [...strong, ...hang(branches, rules)]
}

interface Branch {
  readonly group: Gathering
  readonly choice: Choice | undefined
}

/** Answers the groups that hang nowhere: two leaves that cannot be one thing do not hang on one cluster. */
function hang(branches: readonly Branch[], rules: LeafRules): Gathering[] {
  const hanging = branches.filter(
    (branch): branch is Branch & { choice: Choice } => branch.choice !== undefined,
  )
  const refused = hanging
    .sort((x, y) => bySureness(x.choice.link, y.choice.link))
    .filter(({ group, choice: { cluster, link } }) => {
      if (!mayJoin(group, cluster, rules)) return true
      cluster.members.push(...group.members)
      cluster.links.push(...group.links, link)
      return false
    })
  return [...branches.filter(({ choice }) => !choice), ...refused].map(({ group }) => group)
}

interface Choice {
  readonly cluster: Gathering
  readonly link: Link
}
type Finding = Choice | 'none' | 'contested'
interface Holder {
  readonly cluster: Gathering
  readonly seen: Sighting
  readonly trait: Trait
}

const isChoice = (finding: Finding | undefined): finding is Choice => typeof finding === 'object'

function holdersByAddress(clusters: readonly Gathering[], rules: LeafRules): Map<string, Holder[]> {
  const all = clusters.flatMap((cluster) =>
    cluster.members.flatMap((seen) =>
      addressesOf(seen, rules).map((trait): Holder => ({ cluster, seen, trait })),
    ),
  )
  return Map.groupBy(all, ({ seen, trait }) => placeOf(seen, trait))
}

function choose(leaf: Sighting, holders: Map<string, Holder[]>, rules: LeafRules): Finding {
  const last = new Map<Gathering, { until: number; link: Link }>()
  for (const trait of addressesOf(leaf, rules)) {
    for (const holder of holders.get(placeOf(leaf, trait)) ?? []) {
      if (!together(trait, holder.trait) || !mayJoin(gathering(leaf), holder.cluster, rules)) continue
      const known = last.get(holder.cluster)
      last.set(holder.cluster, {
        until: Math.max(holder.trait.lastSeen, known?.until ?? 0),
        link: surer(known?.link, addressLink(leaf, holder.seen, trait)),
      })
    }
  }
  const [best, next] = [...last].sort((x, y) => y[1].until - x[1].until)
  if (!best) return 'none'
  if (next && best[1].until - next[1].until <= CHECK_IN_MS) return 'contested'
  return { cluster: best[0], link: best[1].link }
}

/** Thin observations of one address at one time are of one thing. */
function meetingsAmong(thin: readonly Sighting[], rules: LeafRules): Link[] {
  const present = thin.flatMap((seen) => addressesOf(seen, rules).map((trait) => ({ seen, trait })))
  return [...Map.groupBy(present, ({ seen, trait }) => placeOf(seen, trait)).values()].flatMap((here) =>
    here.flatMap((one, index) =>
      here
        .slice(index + 1)
        .filter((other) => together(one.trait, other.trait) && macsAgree([one.seen], [other.seen]))
        .map((other) => addressLink(one.seen, other.seen, one.trait)),
    ),
  )
}

function gatherLoose(
  loose: readonly Sighting[],
  meetings: readonly Link[],
  rules: LeafRules,
): Map<string, Gathering> {
  const groups = new Map(loose.map((seen) => [seen.id, gathering(seen)]))
  for (const link of meetings.toSorted(bySureness)) {
    const [a, b] = [groups.get(link.a.id), groups.get(link.b.id)]
    if (a && b && a !== b && mayJoin(a, b, rules)) join(groups, [a, b], link)
  }
  return groups
}

/** For each loose group, the clusters on which its thin neighbours hang. */
function leadersOf(
  loose: ReadonlyMap<string, Gathering>,
  choices: ReadonlyMap<string, Finding>,
  meetings: readonly Link[],
): Map<Gathering, Map<Gathering, Link>> {
  const leaders = new Map<Gathering, Map<Gathering, Link>>()
  for (const link of meetings) {
    for (const [member, neighbour] of [[link.a, link.b] as const, [link.b, link.a] as const]) {
      const [group, choice] = [loose.get(member.id), choices.get(neighbour.id)]
      if (!group || !isChoice(choice)) continue
      const known = leaders.get(group) ?? new Map<Gathering, Link>()
      leaders.set(group, known.set(choice.cluster, surer(known.get(choice.cluster), link)))
    }
  }
  return leaders
}

interface Found {
  readonly choices: ReadonlyMap<string, Finding>
  readonly leaders: ReadonlyMap<Gathering, ReadonlyMap<Gathering, Link>>
  readonly rules: LeafRules
}

function onlyLeader(group: Gathering, { choices, leaders, rules }: Found): Choice | undefined {
  if (group.members.some((member) => choices.get(member.id) === 'contested')) return undefined
  const [only, ...others] = leaders.get(group) ?? []
  if (!only || others.length > 0 || !mayJoin(group, only[0], rules)) return undefined
  return { cluster: only[0], link: only[1] }
}

function mayJoin(leaf: Gathering, cluster: Gathering, rules: LeafRules): boolean {
  return macsAgree(leaf.members, cluster.members) && !rules.forbidden(leaf, cluster)
}

/** Where both sides know MAC addresses and have none in common, another machine is on the same address. */
function macsAgree(a: readonly Sighting[], b: readonly Sighting[]): boolean {
  const mine = macsOf(a)
  if (mine.length === 0) return true
  const theirs = macsOf(b)
  return theirs.length === 0 || mine.some((mac) => theirs.includes(mac))
}

const macsOf = (members: readonly Sighting[]): string[] =>
  members.flatMap((seen) => traitsOf(seen, 'mac')).map((trait) => trait.value)

const addressesOf = (seen: Sighting, { shared }: LeafRules): Trait[] =>
  traitsOf(seen, 'ip').filter((trait) => !shared.has(valueKey('ip', trait.value)))

const placeOf = (seen: Sighting, trait: Trait): string => `${seen.scope} ${trait.value}`

function addressLink(one: Sighting, other: Sighting, { value }: Trait): Link {
  const reason: Reason = { group: 'addr', type: 'ip', value, weight: ADDRESS_WEIGHT.together }
  return { because: 'address', ...inKeyOrder(one, other), score: reason.weight, reasons: [reason] }
}

function surer(one: Link | undefined, other: Link): Link {
  return one && bySureness(one, other) <= 0 ? one : other
}
