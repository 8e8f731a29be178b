import type { Cluster } from '../identity/identity.ts'
import type { FormerAsset } from './observation-read-store.ts'
import type { ObservationRecord } from './observation-record.ts'

/** The asset id that a cluster was assigned. */
export interface AssignedCluster {
  readonly assetId: string
  readonly members: readonly ObservationRecord[]
  /** `restored`: the id of an asset that was merged away is used again. */
  readonly origin: 'existing' | 'new' | 'restored'
  /** Ids of assets that are merged into this one and cease to exist. */
  readonly merged: readonly string[]
}

export interface AssignRules {
  /** By observation id. */
  readonly observed: ReadonlyMap<string, ObservationRecord>
  readonly isWeak: (observationId: string) => boolean
  readonly former: readonly FormerAsset[]
  /** Observations that keep their asset's id when others are unlinked from it. */
  readonly staying?: ReadonlySet<string>
  readonly newId: () => string
}

/**
 * Decides which asset id survives. An asset continues in the cluster that has its oldest observation; an observation
 * with weak identifiers only counts if there is no other. If several assets continue in one cluster, the oldest id
 * (UUIDv7, the smallest) survives. A cluster without an id gets that of a merged asset whose observations are all in
 * it, else a new one.
 */
export function assignAssetIds(clusters: readonly Cluster[], rules: AssignRules): AssignedCluster[] {
  const membersOf = clusters.map((cluster) =>
    cluster.members.flatMap(({ id }) => rules.observed.get(id) ?? []).sort((x, y) => byAge(x, y, rules)),
  )
  const roots = new Map<string, ObservationRecord>()
  for (const member of membersOf.flat().sort((x, y) => byAge(x, y, rules))) {
    if (member.assetId !== undefined && !roots.has(member.assetId)) roots.set(member.assetId, member)
  }
  const free = new Set(rules.former.map(({ oldId }) => oldId))
  return membersOf.map((members): AssignedCluster => {
    const vetoValues = members
      .filter((member) => member.assetId !== undefined && roots.get(member.assetId) === member)
      .map((member) => member.assetId ?? '')
      .sort()
    const [survivor, ...merged] = vetoValues
    if (survivor !== undefined) return { assetId: survivor, members, origin: 'existing', merged }
    const former = rules.former.find(
      ({ oldId, observationIds }) => free.has(oldId) && isWhole(observationIds, members, rules),
    )
    if (!former) return { assetId: rules.newId(), members, origin: 'new', merged: [] }
    free.delete(former.oldId)
    return { assetId: former.oldId, members, origin: 'restored', merged: [] }
  })
}

function byAge(x: ObservationRecord, y: ObservationRecord, { isWeak, staying }: AssignRules): number {
  return (
    Number(staying?.has(y.id) ?? 0) - Number(staying?.has(x.id) ?? 0) ||
    Number(isWeak(x.id)) - Number(isWeak(y.id)) ||
    x.firstSeen - y.firstSeen ||
    (keyOf(x) < keyOf(y) ? -1 : 1)
  )
}

const keyOf = ({ source, sourceKey }: ObservationRecord): string =>
  `${source.kind} ${source.name} ${sourceKey}`

/** At least one of the former asset's observations is loaded, and all of these are in this cluster. */
function isWhole(
  ids: readonly string[],
  members: readonly ObservationRecord[],
  { observed }: AssignRules,
): boolean {
  const memberIds = new Set(members.map(({ id }) => id))
  const present = ids.filter((id) => observed.has(id))
  return present.length > 0 && present.every((id) => memberIds.has(id))
}
