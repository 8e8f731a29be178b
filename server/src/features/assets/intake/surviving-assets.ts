import type { Cluster } from '../identity/identity.ts'
import type { FormerAsset } from './observation-read-store.ts'
import type { Observed } from './observation-record.ts'

/** Which asset a cluster is. */
export interface Allotted {
  readonly assetId: string
  readonly members: readonly Observed[]
  /** Not an asset before; `restored` when it was one, before it was merged away. */
  readonly origin: 'kept' | 'new' | 'restored'
  /** Assets that end in this one. */
  readonly merged: readonly string[]
}

export interface AllotRules {
  /** By observation id. */
  readonly observed: ReadonlyMap<string, Observed>
  readonly isThin: (observationId: string) => boolean
  readonly former: readonly FormerAsset[]
  /** Observations that keep the id of their asset whatever leaves it. */
  readonly staying?: ReadonlySet<string>
  readonly newId: () => string
}

/**
 * Each asset goes on in the cluster that has its oldest observation; a mere address counts only where there is
 * nothing else. Where several go on in one, the oldest asset survives. What split off is the asset again that it was
 * before a merge, if all of that is here, else a new one.
 */
export function allot(clusters: readonly Cluster[], rules: AllotRules): Allotted[] {
  const membersOf = clusters.map((cluster) =>
    cluster.members.flatMap(({ id }) => rules.observed.get(id) ?? []).sort((x, y) => byAge(x, y, rules)),
  )
  const roots = new Map<string, Observed>()
  for (const member of membersOf.flat().sort((x, y) => byAge(x, y, rules))) {
    if (member.assetId !== undefined && !roots.has(member.assetId)) roots.set(member.assetId, member)
  }
  const free = new Set(rules.former.map(({ oldId }) => oldId))
  return membersOf.map((members): Allotted => {
    const claims = members
      .filter((member) => member.assetId !== undefined && roots.get(member.assetId) === member)
      .map((member) => member.assetId ?? '')
      .sort()
    const [survivor, ...merged] = claims
    if (survivor !== undefined) return { assetId: survivor, members, origin: 'kept', merged }
    const former = rules.former.find(
      ({ oldId, observationIds }) => free.has(oldId) && isWhole(observationIds, members, rules),
    )
    if (!former) return { assetId: rules.newId(), members, origin: 'new', merged: [] }
    free.delete(former.oldId)
    return { assetId: former.oldId, members, origin: 'restored', merged: [] }
  })
}

function byAge(x: Observed, y: Observed, { isThin, staying }: AllotRules): number {
  return (
    Number(staying?.has(y.id) ?? 0) - Number(staying?.has(x.id) ?? 0) ||
    Number(isThin(x.id)) - Number(isThin(y.id)) ||
    x.firstSeen - y.firstSeen ||
    (keyOf(x) < keyOf(y) ? -1 : 1)
  )
}

const keyOf = ({ source, sourceKey }: Observed): string => `${source.kind} ${source.name} ${sourceKey}`

/** Some of the former asset's observations are here, and none elsewhere. */
function isWhole(ids: readonly string[], members: readonly Observed[], { observed }: AllotRules): boolean {
  const here = new Set(members.map(({ id }) => id))
  const present = ids.filter((id) => observed.has(id))
  return present.length > 0 && present.every((id) => here.has(id))
}
