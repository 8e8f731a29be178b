import type { EventType } from '#features/events/events.ts'

/** How soon what happened is told: at once, at the next full hour, or once a day. */
export const digests = ['now', 'hourly', 'daily'] as const
export type Digest = (typeof digests)[number]

export interface NoticeRule {
  readonly id: string
  /** Whose rule it is: it sees what they may see. */
  readonly userId: string
  readonly name: string
  readonly eventTypes: readonly EventType[]
  /** Kinds of open items. */
  readonly itemKinds: readonly string[]
  /** On events; empty: all. */
  readonly condition: string
  /** Null: mail to the person. */
  readonly channelId: string | null
  readonly digest: Digest
  readonly active: boolean
  readonly disabledReason: string | null
  readonly createdAt: string
}

export interface NewRule {
  readonly name: string
  readonly eventTypes?: readonly string[]
  readonly itemKinds?: readonly string[]
  readonly condition?: string
  readonly channelId?: string | null
  readonly digest?: Digest
  readonly active?: boolean
}

export interface Preferences {
  /** IANA, such as Europe/Berlin. */
  readonly zone: string
  /** Local times `HH:MM` between which nothing is sent; null: never quiet. */
  readonly quietFrom: string | null
  readonly quietUntil: string | null
  /** The local hour of daily digests. */
  readonly digestHour: number
  /** Whether a mail says once a day what waits. */
  readonly hasSummary: boolean
}

export const DEFAULT_PREFERENCES: Preferences = {
  zone: 'UTC',
  quietFrom: null,
  quietUntil: null,
  digestHour: 8,
  hasSummary: false,
}

/** What a person must be allowed in order to hear of events of a type. */
export const eventPermissions: Readonly<Record<EventType, string>> = {
  NEW_ASSET: 'assets:read',
  UPDATED_ASSET: 'assets:read',
  DELETED_ASSET: 'assets:read',
  UNLINK: 'assets:read',
  NEW_SOURCE: 'sources:read',
  EXPORT_COMPLETED: 'reports:read',
  SCAN_COMPLETED: 'scans:read',
  VULNERABILITY_FOUND: 'vulnerabilities:read',
  COMPLIANCE_UPDATED: 'compliance:read',
  FLOW_TRIGGERED: 'flows:read',
}

/** Those that name the assets that they are about, which are still there. */
export const eventsOfOneAsset: ReadonlySet<EventType> = new Set([
  'NEW_ASSET',
  'UPDATED_ASSET',
  'UNLINK',
  'VULNERABILITY_FOUND',
])
