export const relationKinds = ['runs_on', 'connected_to', 'part_of', 'depends_on', 'used_by'] as const
export type RelationKind = (typeof relationKinds)[number]

export const linkKinds = ['lldp', 'cdp', 'fdb', 'arp', 'vm_on_host'] as const
export type LinkKind = (typeof linkKinds)[number]

/** A relation or link of an asset, as seen from that asset. */
export interface AssetRelation {
  /** Of a recorded relation, for deleting it; null for a link that observations report. */
  readonly id: string | null
  readonly kind: RelationKind | LinkKind
  /** `out`: the asset is the first end: it runs on, depends on, or reports the other. */
  readonly direction: 'out' | 'in'
  /** Null: the other end is no known asset. */
  readonly otherId: string | null
  /** The name of the other asset, else the other end as it was reported. */
  readonly other: string
  /** Ports of this asset and of the other end; empty: not reported. */
  readonly port: string
  readonly otherPort: string
  readonly vlan: number | null
  readonly note: string
  /** Of a recorded relation: who recorded it. */
  readonly by: string | null
  /** Of a link: the observation that reports it. */
  readonly observationId: string | null
  /** What the observation was made by. */
  readonly sourceKind: string | null
  readonly firstSeen: string
  readonly lastSeen: string
}

/** A link between two assets, for maps and reports. */
export interface TopologyLink {
  readonly aAsset: string
  readonly aName: string
  readonly aPort: string
  readonly bAsset: string | null
  readonly bName: string
  readonly bPort: string
  readonly kind: LinkKind
  readonly vlan: number | null
  readonly observationId: string
  readonly firstSeen: string
  readonly lastSeen: string
}
