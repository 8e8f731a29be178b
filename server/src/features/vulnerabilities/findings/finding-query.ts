import type { Severity } from '#features/advisories/advisory.ts'
import type { FindingStatus, Grade } from './finding.ts'

/** Filters and order of the search for findings; absent: any. */
export interface FindingQuery {
  readonly status?: FindingStatus | undefined
  readonly severity?: Severity | undefined
  readonly cveId?: string | undefined
  readonly assetId?: string | undefined
  readonly isExploited?: boolean | undefined
  readonly matchType?: Grade | undefined
  readonly hasFix?: boolean | undefined
  readonly cvssMin?: number | undefined
  /** A substring of the CVE id, the software, or the texts that name the asset, case-insensitive. */
  readonly search?: string | undefined
  /** A condition on findings. */
  readonly where?: string | undefined
  readonly sort?: FindingSort | undefined
  readonly direction?: 'asc' | 'desc' | undefined
}

export const findingSorts = [
  'score',
  'foundAt',
  'changedAt',
  'epss',
  'cveId',
  'assetName',
  'software',
  'status',
  'confidence',
  'affectedAssets',
] as const
export type FindingSort = (typeof findingSorts)[number]
