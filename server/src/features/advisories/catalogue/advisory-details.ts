import type { Score } from '../advisory.ts'

/** What of an advisory is only shown, as it is kept. */
export interface AdvisoryDetails {
  readonly description: string
  /** RFC 3339. */
  readonly publishedAt: string | null
  readonly modifiedAt: string | null
  readonly scores: readonly Score[]
  readonly weaknesses: readonly string[]
  readonly references: readonly string[]
}
