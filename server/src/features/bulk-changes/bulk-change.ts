import type { Actor } from '#platform/context.ts'
import type { Criticality, Exposure } from '#features/vulnerabilities/risk/risk-score.ts'
import type { RecordChange } from '#features/records/values/asset-record.ts'

export const bulkVerbNames = [
  'add_tags',
  'remove_tags',
  'set_weight',
  'set_field',
  'set_record',
  'archive',
  'revive',
  'delete',
  'accept_risk',
  'mark_false_positive',
  'reopen',
] as const
export type BulkVerbName = (typeof bulkVerbNames)[number]

/** What a change is of; its verb says which. */
export const bulkSubjectNames = ['asset', 'finding'] as const
export type BulkSubjectName = (typeof bulkSubjectNames)[number]

export const bulkStatuses = ['collecting', 'running', 'completed', 'cancelled', 'failed'] as const
export type BulkStatus = (typeof bulkStatuses)[number]

/** What a change sets; each verb takes its own of these. */
export interface BulkValues {
  readonly tags?: readonly string[] | undefined
  readonly criticality?: Criticality | undefined
  readonly exposure?: Exposure | undefined
  /** A custom field, and its value; null clears. */
  readonly fieldId?: string | undefined
  readonly value?: string | number | boolean | null | undefined
  readonly record?: RecordChange | undefined
  /** Why findings are decided so. */
  readonly reason?: string | undefined
  /** RFC 3339; absent: until the override is ended. */
  readonly expiresAt?: string | undefined
}

/** Which assets or findings, as the verb asks: those named, at most 10,000, or all for which a condition holds. */
export interface BulkSelection {
  readonly assetIds?: readonly string[] | undefined
  readonly findingIds?: readonly string[] | undefined
  readonly where?: string | undefined
}

export interface NewBulkChange extends BulkSelection {
  readonly verb: BulkVerbName
  readonly values?: BulkValues | undefined
  /** How many assets will be deleted, as a person typed it. Needed to delete, and only then. */
  readonly confirm?: number | undefined
}

export interface BulkChange {
  readonly id: string
  readonly verb: BulkVerbName
  readonly values: BulkValues
  readonly where: string | null
  readonly status: BulkStatus
  /** Why it failed; else empty. */
  readonly message: string
  /** Assets or findings to change; still growing while `status` is `collecting`. */
  readonly total: number
  readonly done: number
  /** Of those done, how many were not as wanted before. */
  readonly changed: number
  readonly undoOf: string | null
  /** The change that undoes this one. */
  readonly undoneBy: string | null
  readonly startedBy: Pick<Actor, 'kind' | 'id' | 'name' | 'address'>
  /** The condition of the role or key that started it: other assets are left as they are. Null: all assets. */
  readonly limitedTo: string | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** One asset of a change. */
export interface BulkChangeAsset {
  readonly assetId: string
  /** Empty when the asset is gone, unless the change deleted it. */
  readonly name: string
  readonly isDone: boolean
  readonly isChanged: boolean
}
