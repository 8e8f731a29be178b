import { expect, test } from 'vitest'
import { sentenceOf, whyOf } from './outcome.ts'
import type { Check } from '../checks/check.ts'
import type { CheckOutcome } from './status.ts'

const judged = { tolerance: '0', fault: undefined, ageHours: 1 }

/** Counts in the order ok, failed, unknown, excepted; and what is said of them. */
const said: readonly [readonly [number, number, number, number], string][] = [
  [[0, 0, 0, 0], 'no asset is in its scope'],
  [[1, 0, 0, 0], 'the only asset in its scope passes'],
  [[2, 0, 0, 0], 'all 2 assets pass'],
  [[12_345, 0, 0, 0], 'all 12,345 assets pass'],
  [[0, 1, 0, 0], 'the only asset in its scope fails'],
  [[0, 1, 0, 1], 'the only asset in its scope fails, under an exception'],
  [[0, 3, 0, 0], 'all 3 assets fail'],
  [[0, 3, 0, 3], 'all 3 assets fail, all of them under an exception'],
  [[2, 1, 0, 0], '1 of 3 assets fails'],
  [[2, 1, 0, 1], '1 of 3 assets fails, under an exception'],
  [[15, 3, 2, 1], '3 of 20 assets fail, 1 of them under an exception; for 2 others it is not known'],
  [[1, 1, 1, 0], '1 of 3 assets fails; for one other it is not known'],
  [[0, 1, 1, 0], '1 of 2 assets fails; for one other it is not known'],
  [[18, 0, 2, 0], '18 of 20 assets pass; for 2 others it is not known'],
  [[1, 0, 1, 0], '1 of 2 assets passes; for one other it is not known'],
  [[0, 0, 1, 0], 'for the only asset in its scope it is not known'],
  [[0, 0, 1_500, 0], 'for none of 1,500 assets is it known'],
]

test.each(said)('ok, failed, unknown and excepted %j: %s', ([ok, failed, unknown, excepted], words) => {
  const outcome: CheckOutcome = {
    ...judged,
    inScope: ok + failed + unknown,
    ok,
    failed,
    unknown,
    excepted,
  } as CheckOutcome
  expect(sentenceOf({ title: 'Telnet is switched off' }, outcome)).toBe(`Telnet is switched off: ${words}.`)
})

test('what was never judged is said to be so', () => {
  const outcome = { inScope: 0, ok: 0, failed: 0, unknown: 0, excepted: 0, tolerance: '0' }
  expect(sentenceOf({ title: 'x' }, { ...outcome, ageHours: undefined, fault: undefined })).toBe(
    'x: it has not been judged yet.',
  )
})

test('what decided stands with the most urgent first, as what to do next does', () => {
  const outcome: CheckOutcome = { ...judged, inScope: 2, ok: 1, failed: 1, unknown: 0, excepted: 0 }
  const checkOf = (title: string, severity: string) => ({ title, severity }) as Check
  const checks = [
    checkOf('b', 'medium'),
    checkOf('c', 'high'),
    checkOf('a', 'medium'),
    checkOf('d', 'critical'),
  ]
  const why = whyOf({
    status: 'fail',
    checks,
    outcomes: checks.map(() => outcome),
    attestation: undefined,
    isExcluded: false,
  })
  expect(why.map((it) => it[0])).toEqual(['d', 'c', 'a', 'b'])
})
