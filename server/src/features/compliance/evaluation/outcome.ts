import type { Attestation } from '../attestations/attestation-store.ts'
import { byUrgency, type Check } from '../checks/check.ts'
import type { CheckState } from './result-store.ts'
import { statusOfCheck, type CheckOutcome, type ControlStatus } from './status.ts'

/** What rounds found, as a status is worked out from it, and in words. */

const HOUR_MS = 3_600_000
const NOTHING = { inScope: 0, ok: 0, failed: 0, unknown: 0, excepted: 0 }

export function outcomeOf(check: Check, state: CheckState | undefined, now: Date): CheckOutcome {
  const { inScope, ok, failed, unknown, excepted } = state ?? NOTHING
  const judgedAt = state?.judgedAt
  const ageHours =
    judgedAt === null || judgedAt === undefined ? undefined : (now.getTime() - Date.parse(judgedAt)) / HOUR_MS
  const fault = state?.fault ?? undefined
  return { inScope, ok, failed, unknown, excepted, tolerance: check.tolerance, ageHours, fault }
}

/** Undefined: never judged, or no asset is in its scope. */
export const statusOfOutcome = (outcome: CheckOutcome): 'pass' | 'fail' | 'warning' | undefined =>
  outcome.ageHours === undefined || outcome.inScope === 0 ? undefined : statusOfCheck(outcome)

interface Judged {
  readonly status: ControlStatus
  readonly checks: readonly Check[]
  /** For each of the checks. */
  readonly outcomes: readonly CheckOutcome[]
  readonly attestation: Attestation | undefined
  /** By an approved statement of applicability. */
  readonly isExcluded: boolean
}

/** Why a control has its status, a sentence for each check that decided, the most urgent first. */
export function whyOf({ status, checks, outcomes, attestation, isExcluded }: Judged): string[] {
  if (isExcluded && status === 'not_applicable')
    return ['The approved statement of applicability excludes it.']
  if (status === 'not_applicable') return ['No asset is in the scope of its checks.']
  if (status === 'not_assessed')
    return [
      checks.length === 0
        ? 'No check judges it, and nobody attests it.'
        : 'Its checks have not been judged yet.',
    ]
  const judged = checks.map((check, at) => ({ check, outcome: outcomes[at] }))
  const inOrder = judged.toSorted((a, b) => byUrgency(a.check, b.check))
  const deciding = inOrder.flatMap(({ check, outcome }) => {
    if (outcome?.fault !== undefined && status === 'warning')
      return [`${check.title}: cannot be judged, because its condition cannot be read: ${outcome.fault}.`]
    return outcome && statusOfOutcome(outcome) === status ? [sentenceOf(check, outcome)] : []
  })
  if (attestation && (status === 'warning' || deciding.length === 0))
    deciding.push(
      `${attestation.attestedByName} attests it until ${attestation.validUntil.slice(0, 'YYYY-MM-DD'.length)}.`,
    )
  return deciding
}

/** `Telnet is switched off: 3 of 20 assets fail, 1 of them under an exception; for 2 others it is not known.` */
export const sentenceOf = ({ title }: Pick<Check, 'title'>, outcome: CheckOutcome): string =>
  `${title}: ${foundBy(outcome)}.`

function foundBy({ ageHours, inScope, ok, failed, unknown, excepted }: CheckOutcome): string {
  if (ageHours === undefined) return 'it has not been judged yet'
  if (inScope === 0) return 'no asset is in its scope'
  if (unknown === inScope)
    return inScope === 1
      ? 'for the only asset in its scope it is not known'
      : `for none of ${number(inScope)} assets is it known`
  const judged =
    failed > 0 ? `${part(failed, inScope, 'fail')}${exceptedOf(failed, excepted)}` : part(ok, inScope, 'pass')
  return unknown === 0 ? judged : `${judged}; for ${others(unknown)} it is not known`
}

function part(some: number, all: number, verb: 'fail' | 'pass'): string {
  const does = some === 1 ? (verb === 'fail' ? 'fails' : 'passes') : verb
  if (some < all) return `${number(some)} of ${number(all)} assets ${does}`
  return all === 1 ? `the only asset in its scope ${does}` : `all ${number(all)} assets ${does}`
}

function exceptedOf(failed: number, excepted: number): string {
  if (excepted === 0) return ''
  if (excepted < failed) return `, ${number(excepted)} of them under an exception`
  return failed === 1 ? ', under an exception' : ', all of them under an exception'
}

const others = (some: number): string => (some === 1 ? 'one other' : `${number(some)} others`)

const number = (it: number): string => it.toLocaleString('en-US')
