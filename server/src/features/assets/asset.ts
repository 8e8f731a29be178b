import type { DeviceType } from '#features/recognition/recognition.ts'
import type { Facets } from './attributes/asset-facets.ts'
import type { AssetType } from './observation.ts'

/** The attributes of an asset, one value each, and its tags. An empty string was not collected. */
export interface AssetAttributes {
  readonly name: string
  readonly assetType: AssetType
  /** What the device is for, as a person set it or recognition computed it. */
  readonly deviceType: DeviceType
  readonly ipAddress: string
  readonly macAddress: string
  readonly os: string
  readonly hostname: string
  readonly serial: string
  readonly vendor: string
  readonly model: string
  readonly tags: readonly string[]
}

/** An asset as the API returns it. Instants are RFC 3339 in UTC. */
export interface Asset extends AssetAttributes {
  readonly id: string
  /** 0 to 100; 0 when no open finding counts against it. */
  readonly riskScore: number
  /** 0 to 1: how certain device recognition is. */
  readonly confidence: number
  readonly firstSeen: string
  readonly lastSeen: string
  /** Null: a living asset, as lists and counts have them. */
  readonly archivedAt: string | null
  /** `rule`, or who archived it. */
  readonly archivedBy: string | null
  /** Since when it is known that no source has seen it for longer than expected; null: it is not stale. */
  readonly staleSince: string | null
}

/** An asset as it is written, computed from its observations, overrides and tags. */
export interface ComputedAsset extends AssetAttributes {
  readonly id: string
  readonly confidence: number
  /** Tags that people added, and tags of sources that people removed. */
  readonly ownTags: readonly string[]
  readonly mutedTags: readonly string[]
  /** Milliseconds since 1970. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** Values that every search looks at, normalised and one a line: see listing/search-text.ts. */
  readonly searchText: string
  /** Values that only the app's search looks at, in the same form. */
  readonly searchAttributes: string
  /** What conditions ask about. */
  readonly facets: Facets
}

export interface AssetFilter {
  /** Exactly this type; an unknown type matches nothing. */
  readonly type?: string | undefined
  /** A substring of id, host name, address or serial, case-insensitive. */
  readonly search?: string | undefined
  /** A condition on assets, which must hold as well. */
  readonly where?: string | undefined
}
