import type { Ctx } from '#platform/context.ts'
import type { BulkSubjectName, BulkValues, BulkVerbName } from '../bulk-change.ts'

/** What assets or findings had before, by id: of those that changed. JSON values, none null. */
export type Previous = ReadonlyMap<string, unknown>

export interface BulkVerb {
  readonly name: BulkVerbName
  readonly subject: BulkSubjectName
  readonly permission: string
  /** The values as they are stored; throws 400 or 404 for what cannot be set. Also asked before each batch. */
  readonly check: (ctx: Ctx, values: BulkValues) => Promise<BulkValues>
  /** At most 500, in the caller's transaction; those that are gone are left out. */
  readonly apply: (ctx: Ctx, values: BulkValues, ids: readonly string[]) => Promise<Previous>
  /** Undoes `apply`, with what it returned. Absent: it is final. */
  readonly restore?: (ctx: Ctx, values: BulkValues, previous: Previous) => Promise<Previous>
}
