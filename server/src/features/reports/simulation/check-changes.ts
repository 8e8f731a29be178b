import { evaluate } from '#platform/conditions/evaluate.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import type { Row, Vocabulary } from '#platform/conditions/field.ts'
import type { CountChange } from '#features/compliance/compliance.ts'
import type { After } from './row-after.ts'

/** A check as it is evaluated in memory. */
export interface ReadCheck {
  readonly id: string
  /** Undefined: all assets. */
  readonly scope: Condition | undefined
  readonly condition: Condition
  /** Undefined: what is known is always recent enough. */
  readonly freshness: Condition | undefined
}

export interface Evaluating {
  readonly now: Date
  readonly vocabulary: Vocabulary
  /** `<check> <asset>` of failures under an exception. */
  readonly excepted: ReadonlySet<string>
}

/** Adds to `changes` what the change of one asset does to the counts of checks. */
export function addCheckChanges(
  changes: Map<string, CountChange>,
  checks: readonly ReadCheck[],
  asset: { readonly id: string; readonly row: Row; readonly after: After },
  evaluating: Evaluating,
): void {
  const { id, row, after } = asset
  if (after.effect === 'unchanged') return
  for (const check of checks) {
    const before = countsOf(check, row, evaluating)
    // of a new device nothing is known, but that it will be judged as the old one was
    const then =
      after.effect === 'retired'
        ? NOTHING
        : after.effect === 'replaced'
          ? { ...NOTHING, inScope: before.inScope, unknown: before.inScope }
          : countsOf(check, after.row, evaluating)
    const isExcepted = evaluating.excepted.has(`${check.id} ${id}`)
    const sum = changes.get(check.id) ?? NOTHING
    changes.set(check.id, {
      inScope: sum.inScope + then.inScope - before.inScope,
      failed: sum.failed + then.failed - before.failed,
      unknown: sum.unknown + then.unknown - before.unknown,
      excepted: sum.excepted + (isExcepted ? then.failed - before.failed : 0),
    })
  }
}

const NOTHING: CountChange = { inScope: 0, failed: 0, unknown: 0, excepted: 0 }

function countsOf({ scope, condition, freshness }: ReadCheck, row: Row, evaluating: Evaluating): CountChange {
  if (scope && evaluate(scope, row, evaluating) !== true) return NOTHING
  const found = evaluate(condition, row, evaluating)
  const isOk = found && freshness && evaluate(freshness, row, evaluating) !== true ? null : found
  return { inScope: 1, failed: isOk === false ? 1 : 0, unknown: isOk === null ? 1 : 0, excepted: 0 }
}
