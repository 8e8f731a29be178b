import type { Grade } from './finding.ts'

/** An attribution says that a match holds for a finding: why the finding is there, and since when. */

/** The fields of a match that decide whether an asset is affected. */
export interface LiveMatch {
  readonly id: number
  readonly softwareId: number
  readonly cveId: string
  readonly kernel: string
  readonly isSelfReported: boolean
  readonly grade: string
  readonly confidence: number
  readonly software: string
  readonly fixedVersion: string
}

export interface KnownFinding {
  readonly id: string
  readonly assetId: string
  readonly cveId: string
}

export interface LiveAttribution {
  readonly findingId: string
  readonly matchId: number
  readonly missedAt: string | null
  readonly isUnconfirmed: boolean
}

export interface LostMatch {
  readonly id: number
  readonly softwareId: number
  readonly package: string
  readonly isEnded: boolean
}

export interface Attribution {
  readonly id: number
  readonly feed: string
  readonly record: string
  readonly matchType: Grade
  readonly confidence: number
  /** The distribution may have mended it: its packages on the asset are not all known. */
  readonly isUnconfirmed: boolean
  readonly software: string
  readonly fixedVersion: string
  readonly derivation: unknown
  readonly foundAt: string
  readonly missedAt: string | null
  readonly endedAt: string | null
  readonly endedBecause: string | null
}

/** The begin or end of an attribution. */
export interface Transition {
  readonly assetId: string
  readonly cveId: string
  readonly matchId: number
  /** Undefined: the asset never had a finding of this CVE. */
  readonly findingId: string | undefined
  /** `turns`: it holds as before, and was confirmed then and is not now, or the other way round. */
  readonly happens: 'begins' | 'is_missed' | 'returns' | 'turns' | 'ends'
  readonly isUnconfirmed: boolean
  readonly because: string | null
  /** When the asset's software was last reported. */
  readonly inventoriedAt: string | null
}

export interface RecordedTransition extends Transition {
  readonly findingId: string
}

/** Of a registry's word on what the distribution may have built; the same stands in the statements that read matches. */
export const UNCONFIRMED_CONFIDENCE_MAX = 0.8

export const asUnconfirmed = ({
  grade,
  confidence,
}: Pick<LiveMatch, 'grade' | 'confidence'>): Pick<LiveMatch, 'grade' | 'confidence'> => ({
  grade: grade === 'exact' ? 'fuzzy' : grade,
  confidence: Math.min(confidence, UNCONFIRMED_CONFIDENCE_MAX),
})
