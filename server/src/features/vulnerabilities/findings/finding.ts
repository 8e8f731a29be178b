import type { Severity } from '#features/advisories/advisory.ts'

/** An asset is affected by a vulnerability. One for each CVE and asset. */
export interface Finding {
  readonly id: string
  readonly cveId: string
  /** The effective one, overrides included. */
  readonly severity: Severity
  /**
   * The effective score, 0 to 10, overrides included; the middle of the severity's band if no feed publishes a score.
   */
  readonly cvssScore: number
  readonly description: string
  readonly assetId: string
  /** Assets of the tenant on which the CVE is open. */
  readonly affectedAssets: number
  readonly status: FindingStatus
  readonly matchType: Grade
  /** 0 to 1. */
  readonly confidence: number
  /** Name and version of the software, from the attribution of highest confidence. */
  readonly software: string
  /** Empty when no fix is known. */
  readonly fixedVersion: string
  readonly foundAt: string
  readonly changedAt: string
}

/** A finding with the facts of its CVE and the name of its asset, as the GraphQL API lists it. */
export interface ListedFinding extends Finding {
  readonly assetName: string
  /** Probability of exploitation within 30 days, 0 to 1; null: not known. */
  readonly epss: number | null
  /** `YYYY-MM-DD`; null: not known to be exploited. */
  readonly kevAddedOn: string | null
  /** A feed publishes a score; else it is the middle of the severity's band. */
  readonly isScored: boolean
  /** What the distribution of the asset built is not known, so it may have mended this. */
  readonly isUnconfirmed: boolean
  readonly overrideId: string | null
  readonly ratingOverrideId: string | null
}

/**
 * A finding that an override closed is not open, so it adds no risk, and not resolved, because the software is still
 * installed.
 */
export const findingStatuses = ['open', 'resolved', 'accepted', 'false_positive', 'not_affected'] as const
export type FindingStatus = (typeof findingStatuses)[number]

/** How sure a match is, highest confidence first. */
export const grades = ['exact', 'fuzzy', 'heuristic'] as const
export type Grade = (typeof grades)[number]

/** A change of status or score; `why` names the reason in words. */
export interface FindingHistoryEntry {
  readonly at: string
  readonly status: FindingStatus
  readonly severity: Severity
  readonly cvssScore: number
  readonly why: string
}
