import type { AssetType, Json, SoftwareReport } from '#features/assets/observation.ts'

export const cloudProviders = ['AWS', 'Azure', 'GCP'] as const
/** Also clusters of Kubernetes by their own API, which are no clouds: the REST API does not list them. */
export const allProviders = [...cloudProviders, 'Kubernetes'] as const
export type CloudProvider = (typeof allProviders)[number]

export const resourceTypes = ['compute', 'database', 'storage', 'kubernetes', 'function'] as const
/** Of clouds. */
export type CloudType = (typeof resourceTypes)[number]
/** A workload keeps pods running in a cluster. */
export const allTypes = [...resourceTypes, 'workload'] as const
export type ResourceType = (typeof allTypes)[number]

/** The region of what a provider lists for all regions at once. */
export const GLOBAL = 'global'

/** Undefined for what no cloud lists. */
export const cloudTypeOf = (type: ResourceType | undefined): CloudType | undefined =>
  resourceTypes.find((it) => it === type)

/** A resource as the inventory lists it. */
export interface CloudResource {
  readonly id: string
  readonly provider: CloudProvider
  readonly name: string
  readonly type: ResourceType
  readonly region: string
  readonly status: string
  readonly account: string
  /** The provider's own id: an ARN, a resource id, a full resource name. */
  readonly nativeId: string
  readonly connectionId: string
  readonly connectionName: string
  readonly tags: readonly string[]
  readonly facts: Readonly<Record<string, Json>>
  readonly firstSeen: string
  readonly lastSeen: string
  /** Of the last months that are known; the latest first. */
  readonly costs: readonly ResourceCost[]
  /** Undefined while it is not in the inventory. */
  readonly assetId: string | null
}

/** What a resource costs in a month, to the cent. */
export interface ResourceCost {
  /** `YYYY-MM` */
  readonly month: string
  readonly amount: string
  readonly currency: string
}

/** What a connector read of one resource. */
export interface SeenResource {
  readonly scope: ScopeKey
  /** Where it is; differs from the scope's region where that is global. */
  readonly region: string
  readonly nativeId: string
  readonly name: string
  /** As the provider tells it; empty when it does not. */
  readonly status: string
  /** `key:value` */
  readonly tags: readonly string[]
  readonly facts: Readonly<Record<string, Json>>
  readonly machine?: SeenMachine
  /** Where it is neither a virtual machine nor a resource of a cloud. */
  readonly assetType?: AssetType
  readonly software?: SoftwareReport
  /** It is listed and is no asset by itself. */
  readonly hasNoAsset?: true
  /** Of a cluster: the host by which a cloud that runs it lists it too. */
  readonly atHost?: string
}

/** What identifies a virtual machine, whichever name it has. */
export interface SeenMachine {
  /**
   * `aws:i-…`, `azure:<vmId>`, `gcp:<numeric id>`: never reused, unlike names and resource ids. Absent for nodes whose cloud
   * is not known.
   */
  readonly cloudId?: string
  readonly smbiosUuid?: string
  readonly machineId?: string
  readonly hostname?: string
  readonly macs: readonly string[]
  readonly ips: readonly string[]
  readonly os?: string
}

/** What is read as one, and is the unit of which a run is complete or not. */
export interface ScopeKey {
  readonly account: string
  readonly region: string
  readonly type: ResourceType
}

export const scopeText = ({ account, region, type }: ScopeKey): string => `${account} ${region} ${type}`
