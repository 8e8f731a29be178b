/** Each kind, what it says, and the permission to read it. */
export const changeKinds = {
  asset_appeared: { sentence: 'an asset was found for the first time', permission: 'assets:read' },
  asset_archived: { sentence: 'an asset was archived', permission: 'assets:read' },
  asset_revived: { sentence: 'an archived asset was seen again, or revived', permission: 'assets:read' },
  asset_merged: { sentence: 'another asset was merged into this one', permission: 'assets:read' },
  asset_split: { sentence: 'an asset was split off another', permission: 'assets:read' },
  asset_deleted: { sentence: 'an asset was deleted', permission: 'assets:read' },
  field_changed: {
    sentence: 'a value of an asset is another, whoever says so: a source, a person, an import',
    permission: 'assets:read',
  },
  port_opened: { sentence: 'TCP ports are open that were not', permission: 'assets:read' },
  port_closed: { sentence: 'TCP ports are open no longer', permission: 'assets:read' },
  software_installed: { sentence: 'software was installed', permission: 'assets:read' },
  software_removed: { sentence: 'software was removed', permission: 'assets:read' },
  software_updated: { sentence: 'software is of another version', permission: 'assets:read' },
  finding_opened: {
    sentence: 'a vulnerability was found, or found again',
    permission: 'vulnerabilities:read',
  },
  finding_closed: {
    sentence: 'a finding is open no longer: resolved, accepted or overridden',
    permission: 'vulnerabilities:read',
  },
  source_connected: { sentence: 'a source reported for the first time', permission: 'sources:read' },
} as const

export type ChangeKind = keyof typeof changeKinds
export const changeKindNames = Object.keys(changeKinds) as ChangeKind[]

/** A change as the feature writes it that makes it. */
export interface NewChange {
  readonly kind: ChangeKind
  readonly assetId?: string
  /** Read from the asset unless given. */
  readonly assetName?: string
  /** The field, the software, the ports, the CVE, the name of the other asset or the source; empty unless given. */
  readonly subject?: string
  /** JSON values; null or absent: none. */
  readonly before?: unknown
  readonly after?: unknown
  /** The id of the finding, the other asset or the source. */
  readonly relatedId?: string
}

export interface Change {
  /** Later changes of the tenant have greater ones. */
  readonly position: number
  /** RFC 3339; when it was written. */
  readonly at: string
  readonly kind: ChangeKind
  readonly assetId: string | null
  /** As it was then. */
  readonly assetName: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
  readonly relatedId: string | null
  /** A person's address, or the kind and id of who else did it. */
  readonly changedBy: string
}

/** How many changes of a kind a day has. */
export interface ChangeCount {
  /** `YYYY-MM-DD`, in the time zone that was asked for. */
  readonly day: string
  readonly kind: ChangeKind
  readonly count: number
}

/** The changes of one asset; those without an asset, such as new sources, are one group too. */
export interface ChangedAsset {
  readonly assetId: string | null
  /** As the latest of the changes has it. */
  readonly assetName: string
  /** Null: it is there no longer. */
  readonly assetType: string | null
  /** Null: it is there no longer, or was not worked out yet. */
  readonly deviceType: string | null
  readonly total: number
  /** When the latest was written. */
  readonly lastAt: string
  readonly counts: readonly { readonly kind: ChangeKind; readonly count: number }[]
  /** The fields whose values changed. */
  readonly fields: readonly string[]
  /** At most five. */
  readonly changedBy: readonly string[]
}

/** Who changed how much. */
export interface Changer {
  readonly changedBy: string
  readonly count: number
}
