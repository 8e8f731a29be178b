import { byUrgency, type Check } from './checks/check.ts'
import { outcomeOf, sentenceOf, statusOfOutcome } from './evaluation/outcome.ts'
import type { CheckState } from './evaluation/result-store.ts'

/** A check with what its last round found. */
export interface JudgedCheck extends Omit<Check, 'controls'> {
  /** Of the framework that was asked about. */
  readonly controlIds: readonly string[]
  /** Null: never judged, or no asset is in its scope. */
  readonly status: 'pass' | 'fail' | 'warning' | null
  readonly inScope: number
  readonly ok: number
  readonly failed: number
  readonly unknown: number
  readonly excepted: number
  readonly judgedAt: string | null
  readonly fault: string | null
  /** What was found, in words. */
  readonly sentence: string
}

export function judgedCheck(
  check: Check,
  state: CheckState | undefined,
  { controlIds, now }: { readonly controlIds: readonly string[]; readonly now: Date },
): JudgedCheck {
  const { controls: _controls, ...about } = check
  const outcome = outcomeOf(check, state, now)
  const { inScope, ok, failed, unknown, excepted } = outcome
  return {
    ...about,
    controlIds,
    status: statusOfOutcome(outcome) ?? null,
    inScope,
    ok,
    failed,
    unknown,
    excepted,
    judgedAt: state?.judgedAt ?? null,
    fault: state?.fault ?? null,
    sentence: sentenceOf(check, outcome),
  }
}

/** What fails first, the worst severity first; then warnings, then the others. */
export function byNeed(a: JudgedCheck, b: JudgedCheck): number {
  const rank = ({ status }: JudgedCheck) =>
    status === null ? 3 : ['fail', 'warning', 'pass'].indexOf(status)
  return rank(a) - rank(b) || byUrgency(a, b)
}
