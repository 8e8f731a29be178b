/** What one source saw of one thing at one moment: the only form in which anything enters the inventory. */
export interface Observation {
  /** The thing's name within its source, stable over sightings; at most 512 characters. */
  readonly sourceKey: string
  /** When it was seen. An older sighting never overwrites a newer one. */
  readonly seenAt: Date
  /** The asset that a person says this is, by the inventory's own id; no matter if the tenant has no such asset. */
  readonly assetId?: string
  /** Absent: not known from here. */
  readonly assetType?: AssetType
  /** A name for people. It never identifies; host names go to `identifiers`. */
  readonly name?: string
  readonly os?: string
  readonly vendor?: string
  readonly model?: string
  /** What tells this thing from others, as read; normalised by `identifiers.ts`, where junk is dropped. */
  readonly identifiers: readonly Identifier[]
  readonly tags?: readonly string[]
  /** Everything else that was seen, for people and later features: open ports, banners, notes. */
  readonly facts?: Readonly<Record<string, Json>>
}

export interface Identifier {
  readonly type: IdentifierType
  readonly value: string
  /** The source knows this address to be configured by hand, not leased. */
  readonly static?: true
}

export const identifierTypes = [
  'agent_key',
  'tpm_ek',
  'cloud_id',
  'management_id',
  'serial',
  'smbios_uuid',
  'snmp_engine',
  'chassis_id',
  'machine_id',
  'ssh_host_key',
  'mac',
  'hostname',
  /** The name that the DNS gives to an address (PTR): it follows the address, not the machine. */
  'ptr_name',
  'ip',
] as const
export type IdentifierType = (typeof identifierTypes)[number]

export const assetTypes = [
  'device',
  'virtual_machine',
  'hypervisor',
  'cluster',
  'datacenter',
  'datastore',
  'cloud_resource',
  'ot_device',
  'software',
  'saas_account',
  'user',
] as const
export type AssetType = (typeof assetTypes)[number]

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
