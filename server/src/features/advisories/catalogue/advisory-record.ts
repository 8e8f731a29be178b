import type { Score, Severity, Ssvc } from '../advisory.ts'

/** The fields of an advisory that are displayed but not searched; stored as JSON in `advisories.body`. */
export interface AdvisoryDetails {
  readonly description: string
  /** RFC 3339. */
  readonly publishedAt: string | null
  readonly modifiedAt: string | null
  readonly scores: readonly Score[]
  readonly ssvc?: Ssvc | null
  readonly weaknesses: readonly string[]
  readonly references: readonly string[]
}

/** One stored advisory of one feed, as input of `factsFrom`. */
export interface AdvisoryRecord extends AdvisoryDetails {
  readonly feed: string
  readonly id: string
  readonly state: 'published' | 'rejected' | 'withdrawn'
  readonly isDisputed: boolean
  readonly cveIds: readonly string[]
  readonly severity: Severity | null
}
