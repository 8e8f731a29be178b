import type { VulnerabilityFacts } from '#features/advisories/advisories.ts'
import type { Severity } from '#features/advisories/advisory.ts'

/**
 * Severities and CVSS scores, and how each follows from the other. Scores in tenths are whole: CVSS has one decimal.
 */
export const severities = ['critical', 'high', 'medium', 'low', 'informational'] as const

/** Lower bounds of the CVSS v3.1 qualitative ratings (section 5), in tenths; 0 is informational. */
const bands: readonly (readonly [number, Severity])[] = [
  [90, 'critical'],
  [70, 'high'],
  [40, 'medium'],
  [1, 'low'],
  [0, 'informational'],
]

/** In place of a score that nobody published: technical impact, and whether exploitation can be automated. */
const SSVC_TENTHS = {
  total: { automatable: 93, byHand: 84 },
  partial: { automatable: 65, byHand: 48 },
} as const

/** Score in tenths that is used for a severity without a score: the middle of its band. */
const middles: Readonly<Record<Severity, number>> = {
  critical: 95,
  high: 80,
  medium: 55,
  low: 25,
  informational: 5,
}

export interface Rating {
  readonly severity: Severity
  /** 0 to 100. */
  readonly tenths: number
  /** Someone published a score; else it is the middle of the severity's band. */
  readonly isScored: boolean
}

export const isSeverity = (text: string): text is Severity => severities.some((it) => it === text)

export const severityOf = (tenths: number): Severity =>
  bands.find(([from]) => tenths >= from)?.[1] ?? 'informational'

/** Whether the score lies in the severity's band, or is the score used for that severity. */
export const isRatedAs = (tenths: number, severity: Severity): boolean =>
  severityOf(tenths) === severity || tenths === middleOf(severity)

export const middleOf = (severity: Severity): number => middles[severity]

export const toTenths = (score: number): number => Math.min(100, Math.max(0, Math.round(score * 10)))

/** 0.1 has no exact binary representation: 7.3 * 10 is slightly less than 73. */
const ROUNDING = 1e-6

/** Bounds of a filter in tenths; the input may be any number. */
export const tenthsFrom = (score: number): number => asBound(Math.ceil(score * 10 - ROUNDING))
export const tenthsUpTo = (score: number): number => asBound(Math.floor(score * 10 + ROUNDING))

/** Clamped just outside 0 to 100, so that out-of-range filters still match nothing or everything. */
const asBound = (tenths: number): number => Math.min(101, Math.max(-1, tenths))

/**
 * The effective rating: the score, else what CISA's SSVC says of the impact, else the severity that a feed gives, else
 * medium, because an unrated vulnerability is not harmless.
 */
export function ratingOf({
  score,
  ssvc,
  severity = 'medium',
}: Pick<VulnerabilityFacts, 'score' | 'severity' | 'ssvc'>): Rating {
  if (!score && ssvc) {
    const tenths = SSVC_TENTHS[ssvc.impact][ssvc.isAutomatable ? 'automatable' : 'byHand']
    return { severity: severityOf(tenths), tenths, isScored: false }
  }
  if (!score) return { severity, tenths: middleOf(severity), isScored: false }
  const tenths = toTenths(score.score)
  return { severity: severityOf(tenths), tenths, isScored: true }
}
