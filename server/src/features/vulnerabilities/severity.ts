import type { VulnerabilityFacts } from '#features/advisories/advisories.ts'
import type { Severity } from '#features/advisories/advisory.ts'

/**
 * Severities and CVSS scores, and how each follows from the other. Scores in tenths are whole: CVSS has one decimal.
 */
export const severities = ['critical', 'high', 'medium', 'low', 'informational'] as const

/** Qualitative rating of CVSS v3.1 §5; below it nothing scores. */
const bands: readonly (readonly [number, Severity])[] = [
  [90, 'critical'],
  [70, 'high'],
  [40, 'medium'],
  [1, 'low'],
  [0, 'informational'],
]

/** What stands for a score where there is only a severity. In tenths. */
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

/** Whether the score lies in the band of the severity, or is what stands for it. */
export const isRatedAs = (tenths: number, severity: Severity): boolean =>
  severityOf(tenths) === severity || tenths === middleOf(severity)

export const middleOf = (severity: Severity): number => middles[severity]

export const toTenths = (score: number): number => Math.min(100, Math.max(0, Math.round(score * 10)))

/** 0.1 has no exact double: 7.3 * 10 is a little less than 73. */
const ROUNDING = 1e-6

/** The bounds of a filter, which may be any number. */
export const tenthsFrom = (score: number): number => asBound(Math.ceil(score * 10 - ROUNDING))
export const tenthsUpTo = (score: number): number => asBound(Math.floor(score * 10 + ROUNDING))

/** Just beyond both ends still tells none from all. */
const asBound = (tenths: number): number => Math.min(101, Math.max(-1, tenths))

/**
 * The score that counts; without any the severity that a feed gives, and without that a medium: unknown is not
 * harmless.
 */
export function ratingOf({
  score,
  severity = 'medium',
}: Pick<VulnerabilityFacts, 'score' | 'severity'>): Rating {
  if (!score) return { severity, tenths: middleOf(severity), isScored: false }
  const tenths = toTenths(score.score)
  return { severity: severityOf(tenths), tenths, isScored: true }
}
