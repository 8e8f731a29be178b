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
  /** What is installed on it, for the software inventory; no part of what tells things apart. */
  readonly software?: SoftwareReport
}

export interface SoftwareReport {
  /** Of the operating system, as it names itself. */
  readonly release?: OsRelease
  /** Origins that were read to their end: what they no longer list is gone. Others only add. */
  readonly complete: readonly SoftwareOrigin[]
  readonly items: readonly InstalledSoftware[]
}

/** The fields of os-release(5) or their like. */
export interface OsRelease {
  /** `debian`, `ubuntu`, `rhel`, `rocky`, `alpine`, `arch`, `opensuse-leap`, `macos`, `windows`, `freebsd`. */
  readonly id: string
  /** `12`, `22.04`, `8.9`, `3.19.1`; for Windows the full build, such as `10.0.20348.2340`. */
  readonly versionId: string
  readonly codename?: string
  readonly prettyName?: string
  /** As `uname -r` prints it. */
  readonly kernel?: string
}

/** Which manager or register lists it. */
export const softwareOrigins = [
  'dpkg',
  'rpm',
  'apk',
  'pacman',
  'brew',
  'snap',
  'flatpak',
  'windows',
  'hotfix',
  'macos',
  'pkg',
  'snmp',
  'sbom',
  'banner',
] as const
export type SoftwareOrigin = (typeof softwareOrigins)[number]

export interface InstalledSoftware {
  readonly origin: SoftwareOrigin
  /** As the origin spells it, at most 512 characters; the binary package where there are source packages. */
  readonly name: string
  /** As the origin prints it, epoch and release included: `1:9.2p1-2+deb12u3`, `0:1.1.1k-12.el8_9`. May be empty. */
  readonly version: string
  readonly arch?: string
  readonly vendor?: string
  /** The package it was built from; its version only where it differs. */
  readonly source?: { readonly name: string; readonly version?: string }
  /** Package URL, where the origin gives one. */
  readonly purl?: string
  /** CPE 2.3, where the origin gives one. */
  readonly cpe?: string
  /** Installed for this account alone. */
  readonly user?: string
  readonly installedAt?: Date
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
