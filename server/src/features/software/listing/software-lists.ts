import type { OsRelease } from '#features/assets/observation.ts'
import type { ListQuery } from '#platform/conditions/lists/subject-page.ts'
import type { Entry } from '../inventory/software-entry.ts'
import type { Detail } from '../inventory/parse-reports.ts'

/** One distinct piece of software of the tenant. Empty texts are unknown. */
export interface Software extends Entry {
  /** Unique in the installation; increases in the order of first appearance. */
  readonly id: number
  /** Vendor and product as the CPE dictionary would spell them. */
  readonly vendorKey: string
  readonly productKey: string
  /** RFC 3339: when it was first seen on any asset. */
  readonly firstSeen: string
  /** The day on which its maker stops supporting it; null: not known. */
  readonly endsOn: string | null
}

export interface SoftwareFilter extends ListQuery {
  /** Anywhere in name, vendor or source package, whatever its case. */
  readonly search?: string | undefined
  readonly origin?: string | undefined
  /** As the origin spells it, or normalised. */
  readonly vendor?: string | undefined
}

export interface InstalledOn extends Software {
  /** What the sources say of this one installation. */
  readonly details: readonly Detail[]
}

export interface SoftwareChange {
  readonly id: number
  readonly kind: 'installed' | 'removed' | 'changed'
  /** RFC 3339. */
  readonly at: string
  readonly origin: string
  readonly name: string
  readonly arch: string
  /** Empty after a removal. */
  readonly version: string
  /** Empty before an installation. */
  readonly formerVersion: string
}

export interface SoftwareNames {
  /** Names of packages, binary or source, whatever their case. */
  readonly packages: readonly string[]
  /** Normalised products. */
  readonly products: readonly string[]
}

export interface SoftwareHolder {
  readonly softwareId: number
  readonly observationId: string
  readonly assetId: string
}

/** What one source says of an asset's operating system. */
export interface AssetSystem extends OsRelease {
  readonly assetId: string
  readonly ecosystem: string
  /** RFC 3339. */
  readonly reportedAt: string
}

/** An operating system by the names in its os-release. */
export interface SystemName {
  readonly id: string
  readonly versionId: string
  readonly prettyName: string
}

/** Operating systems of the same name and version, counted. */
export interface SystemInUse extends SystemName {
  readonly assets: number
}

/** An asset that has the software or runs the system. */
export interface Holder {
  readonly assetId: string
  readonly name: string
  readonly assetType: string
  readonly os: string
  /** RFC 3339. */
  readonly lastSeen: string
}
