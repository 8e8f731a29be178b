import { toleratedOf, type Tolerance } from '../checks/check.ts'

export const controlStatuses = ['pass', 'fail', 'warning', 'not_applicable', 'not_assessed'] as const
export type ControlStatus = (typeof controlStatuses)[number]

/** What a round over all assets found for one check. */
export interface CheckOutcome {
  readonly inScope: number
  readonly ok: number
  readonly failed: number
  readonly unknown: number
  /** Of those that failed, the number under an exception in force. */
  readonly excepted: number
  readonly tolerance: Tolerance
  /** Of the round, in hours; undefined: never judged. */
  readonly ageHours: number | undefined
  /** Why its condition cannot be read any more; undefined: it can. */
  readonly fault?: string | undefined
}

export interface ControlInput {
  readonly checks: readonly CheckOutcome[]
  /** Until the attestation in force ends; undefined or not above 0: there is none. */
  readonly attestationDaysLeft?: number | undefined
  /** By an approved statement of applicability. */
  readonly isNotApplicable?: boolean
}

/** Below this share of known among those in scope, what passes is no more than a warning. */
export const COVERAGE_PERCENT_MIN = 90
export const FRESHNESS_HOURS = 24
const ATTESTATION_DAYS_MIN = 30

/** Statuses of single checks, the one that decides over the others first. */
const worstFirst = ['fail', 'warning', 'pass'] as const

/**
 * The status of a control. An approved statement or an empty scope makes it not applicable; of several checks the worst
 * decides; an attestation takes the place of checks where none was judged, and never lifts what a check found.
 */
export function statusOf({
  checks,
  attestationDaysLeft = 0,
  isNotApplicable = false,
}: ControlInput): ControlStatus {
  if (isNotApplicable) return 'not_applicable'
  const judged = checks.filter(({ ageHours }) => ageHours !== undefined)
  if (judged.length > 0 && checks.length === judged.length && judged.every(({ inScope }) => inScope === 0))
    return 'not_applicable'
  const statuses = new Set(judged.filter(({ inScope }) => inScope > 0).map(statusOfCheck))
  // what cannot be judged any more must not leave a pass behind
  if (statuses.size > 0 && checks.some(({ fault }) => fault !== undefined)) statuses.add('warning')
  if (attestationDaysLeft > 0) statuses.add(attestationDaysLeft > ATTESTATION_DAYS_MIN ? 'pass' : 'warning')
  return worstFirst.find((it) => statuses.has(it)) ?? 'not_assessed'
}

/** Of a check that was judged and has assets in scope. */
export function statusOfCheck(check: CheckOutcome): 'pass' | 'fail' | 'warning' {
  const { inScope, failed, unknown, excepted, tolerance, ageHours = 0 } = check
  if (failed - excepted > toleratedOf(tolerance, inScope)) return 'fail'
  const isCovered = (inScope - unknown) * 100 >= inScope * COVERAGE_PERCENT_MIN
  return failed > 0 || !isCovered || ageHours > FRESHNESS_HOURS ? 'warning' : 'pass'
}
