/** What one source reported about one device at one time: the only form in which data enters the inventory. */
export interface Observation {
  /** The source's own stable key of the device; at most 512 characters. */
  readonly sourceKey: string
  /** When the source saw the device. An older observation never overwrites a newer one. */
  readonly seenAt: Date
  /**
   * The network that its addresses are of, as part of the source key too (`inScope`); absent: the one that the server is in,
   * or none that is known.
   */
  readonly scope?: string
  /** Links the observation to this asset, as a person requested; ignored if the tenant has no such asset. */
  readonly assetId?: string
  /** Absent: not known. */
  readonly assetType?: AssetType
  /** A display name, which is never used for matching; host names go to `identifiers`. */
  readonly name?: string
  readonly os?: string
  readonly vendor?: string
  readonly model?: string
  /**
   * Values that may identify the device, as reported; normalised by `identity/identifiers.ts`, where junk is dropped.
   */
  readonly identifiers: readonly Identifier[]
  readonly tags?: readonly string[]
  /** Everything else the source reported, such as open ports, banners and notes. */
  readonly facts?: Readonly<Record<string, Json>>
  /** Installed software, for the software inventory; not used for matching. */
  readonly software?: SoftwareReport
}

export interface SoftwareReport {
  /** The operating system, from its own release information. */
  readonly release?: OsRelease
  /**
   * Origins whose list is complete: software that it no longer lists was removed. Lists of other origins only add.
   */
  readonly complete: readonly SoftwareOrigin[]
  readonly items: readonly InstalledSoftware[]
  /**
   * Given by a source that knows what it reported before: `items` were added to that, these were removed from it, and all
   * else stays, whatever its name.
   */
  readonly removed?: readonly InstalledSoftware[]
}

/** Fields of os-release(5) or their equivalents. */
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

/** The package manager or registry that lists the software; `library`: found among the files of the host. */
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
  'library',
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
  /**
   * The package it was built from; its version only where it differs. Of a library among the files: the package of the
   * distribution that installed it; absent: none did.
   */
  readonly source?: { readonly name: string; readonly version?: string }
  /** Package URL, where the origin gives one. */
  readonly purl?: string
  /** CPE 2.3, where the origin gives one. */
  readonly cpe?: string
  /** The user account it is installed for; absent: for all users. */
  readonly user?: string
  readonly installedAt?: Date
  /** Where its files lie, a few of them. */
  readonly paths?: readonly string[]
  /** The day on which it was used last, YYYY-MM-DD; absent: not told, which does not mean never. */
  readonly lastUsedOn?: string
}

export interface Identifier {
  readonly type: IdentifierType
  readonly value: string
  /** The source knows that the address is configured statically, not leased. */
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
  /** The PTR name of an address in DNS: it belongs to the address, not to the machine. */
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
