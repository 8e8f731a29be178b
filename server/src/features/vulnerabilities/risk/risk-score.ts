import type { Severity, Ssvc } from '#features/advisories/advisory.ts'
import type { Grade } from '../findings/finding.ts'

/**
 * The formula of an asset's risk score, 0 to 100. `risk-store.ts` computes it in SQL for many assets at once with the
 * same constants; a test compares both.
 */
export const RISK_MODEL = 2

/** Input from one open finding. */
export interface RiskInput {
  /** The effective score, 0 to 10. */
  readonly cvssScore: number
  /** In a KEV catalogue; what SSVC calls active counts as well. */
  readonly isExploited: boolean
  readonly ssvc?: Pick<Ssvc, 'exploitation' | 'isAutomatable'> | undefined
  /** Probability of exploitation, 0 to 1; absent: not known. */
  readonly epss?: number | undefined
  readonly grade: Grade
}

export interface AssetWeight {
  readonly criticality: Criticality
  readonly exposure: Exposure
  readonly isEndOfLife: boolean
}

export const criticalities = ['critical', 'high', 'normal', 'low'] as const
export type Criticality = (typeof criticalities)[number]
export const exposures = ['internet', 'unknown', 'isolated'] as const
export type Exposure = (typeof exposures)[number]

export const CRITICALITY: Readonly<Record<Criticality, number>> = {
  critical: 1.3,
  high: 1.15,
  normal: 1,
  low: 0.8,
}
export const EXPOSURE: Readonly<Record<Exposure, number>> = { internet: 1.25, unknown: 1, isolated: 0.8 }
export const CERTAINTY: Readonly<Record<Grade, number>> = { exact: 1, fuzzy: 0.7, heuristic: 0.4 }
export const END_OF_LIFE = 1.1
/** Factor of a CVE that is not known to be exploited: from here up to 1 by its EPSS. */
export const EXPLOITED_MIN = 0.35
/** EPSS of a CVE that has none. */
export const EPSS_NEUTRAL = 0.01
/** The heaviest finding counts in full, further ones up to this number by `SHARE_OF_OTHERS`, the rest not at all. */
export const COUNTED_MAX = 20
export const SHARE_OF_OTHERS = 0.1
export const NEUTRAL: AssetWeight = { criticality: 'normal', exposure: 'unknown', isEndOfLife: false }

/** From here up to 1 weighs what is known to be exploited, and the asset's score is 100 times as much at least. */
export const EXPLOITED_FLOOR = 0.8
/** What the severity of an exploited one adds to the floor: 9.8 weighs 0.98, as it would without the floor. */
export const EXPLOITED_SHARE = 0.18
/** The least likelihood of exploitation by SSVC, where it is not active. */
export const SSVC_LIKELIHOOD = {
  none: { automatable: 0.5, byHand: 0 },
  poc: { automatable: 0.9, byHand: 0.75 },
} as const

/** Whether it is known to be exploited: a KEV catalogue or SSVC says so. */
export const isKnownExploited = ({ isExploited, ssvc }: Pick<RiskInput, 'isExploited' | 'ssvc'>): boolean =>
  isExploited || ssvc?.exploitation === 'active'

/** How likely exploitation is, 0 to 1: by EPSS, and at least what SSVC says. */
export function likelihoodOf({ isExploited, ssvc, epss }: Omit<RiskInput, 'cvssScore' | 'grade'>): number {
  if (isKnownExploited({ isExploited, ssvc })) return 1
  const byEpss = EXPLOITED_MIN + (1 - EXPLOITED_MIN) * Math.sqrt(epss ?? EPSS_NEUTRAL)
  if (!ssvc || ssvc.exploitation === 'active') return byEpss
  return Math.max(byEpss, SSVC_LIKELIHOOD[ssvc.exploitation][ssvc.isAutomatable ? 'automatable' : 'byHand'])
}

/** The weight of one finding, 0 to 1. */
export function weightOf(input: RiskInput): number {
  const { cvssScore, grade } = input
  const weight = (cvssScore / 10) * likelihoodOf(input) * CERTAINTY[grade]
  return isKnownExploited(input) ? Math.max(weight, EXPLOITED_FLOOR + EXPLOITED_SHARE * weight) : weight
}

/** 0 to 100. Exactly 0 when nothing is open; rounded to a tenth, and at least a tenth while something is. */
export function riskOf(open: readonly RiskInput[], weight: AssetWeight = NEUTRAL): number {
  const [first, ...others] = open.map(weightOf).toSorted((a, b) => b - a)
  if (first === undefined) return 0
  const none = others.slice(0, COUNTED_MAX - 1).reduce((left, p) => left * (1 - SHARE_OF_OTHERS * p), 1)
  const base = first + (1 - first) * (1 - none)
  const factor =
    CRITICALITY[weight.criticality] * EXPOSURE[weight.exposure] * (weight.isEndOfLife ? END_OF_LIFE : 1)
  const least = open.some(isKnownExploited) ? 100 * EXPLOITED_FLOOR : SCORE_MIN
  return Math.max(least, roundedToTenth(Math.min(100, 100 * base * factor)))
}
const SCORE_MIN = 0.1

/** As PostgreSQL rounds a float8 cast to numeric: 15 significant digits first, so that 31.85 is a half, then half up. */
const roundedToTenth = (value: number): number => Math.round(Number((value * 10).toPrecision(15))) / 10

/** The band of a risk score. */
export function bandOf(score: number): Severity | 'none' {
  if (score >= 80) return 'critical'
  if (score >= 60) return 'high'
  if (score >= 30) return 'medium'
  return score > 0 ? 'low' : 'none'
}
