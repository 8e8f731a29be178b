import type { ComplianceCheckChangeData } from '#api/generated/checks.ts'
import type { CheckVerdict } from '#api/generated/enums-and-inputs.ts'
import { count } from '#lib/numbers.ts'

type Move = ComplianceCheckChangeData['complianceCheckChange']['moves'][number]

export const verdictWords: Readonly<Record<CheckVerdict, string>> = {
  ok: 'pass',
  failed: 'fail',
  unknown: 'unknown',
  not_in_scope: 'not in scope',
}

/** `3 pass → fail, 12 fail → unknown`; empty: no asset changes. */
export const movesOf = (moves: readonly Move[]): string =>
  moves
    .filter(({ before, after }) => before !== after)
    .map(({ before, after, assets }) => `${count(assets)} ${verdictWords[before]} → ${verdictWords[after]}`)
    .join(', ')
