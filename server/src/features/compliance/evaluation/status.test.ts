import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { controlStatuses, statusOf, statusOfCheck, type CheckOutcome, type ControlInput } from './status.ts'

const check = (given: Partial<CheckOutcome>): CheckOutcome => ({
  inScope: 100,
  ok: 100,
  failed: 0,
  unknown: 0,
  excepted: 0,
  tolerance: '0',
  ageHours: 0,
  ...given,
})
const failing = (failed: number, given: Partial<CheckOutcome> = {}) =>
  check({ ok: 100 - failed, failed, ...given })

test.each<[string, ControlInput, string]>([
  ['no check and no attestation', { checks: [] }, 'not_assessed'],
  ['attested', { checks: [], attestationDaysLeft: 31 }, 'pass'],
  ['attested for 30 days more', { checks: [], attestationDaysLeft: 30 }, 'warning'],
  ['the attestation has ended', { checks: [], attestationDaysLeft: 0 }, 'not_assessed'],
  ['an approved statement', { checks: [failing(1)], isNotApplicable: true }, 'not_applicable'],
  ['an empty scope', { checks: [check({ inScope: 0, ok: 0 })] }, 'not_applicable'],
  [
    'an empty scope and a check never judged',
    { checks: [check({ inScope: 0, ok: 0 }), check({ ageHours: undefined })] },
    'not_assessed',
  ],
  ['never judged', { checks: [check({ ageHours: undefined })] }, 'not_assessed'],
  ['all in order', { checks: [check({})] }, 'pass'],
  ['one fails', { checks: [check({}), failing(1)] }, 'fail'],
  ['as many as tolerated', { checks: [failing(2, { tolerance: '2' })] }, 'warning'],
  ['a share, rounded down', { checks: [failing(2, { inScope: 99, ok: 97, tolerance: '2%' })] }, 'fail'],
  ['all failures excepted', { checks: [failing(3, { excepted: 3 })] }, 'warning'],
  ['one failure not excepted', { checks: [failing(3, { excepted: 2 })] }, 'fail'],
  ['90 % known', { checks: [check({ ok: 90, unknown: 10 })] }, 'pass'],
  ['89 % known', { checks: [check({ ok: 89, unknown: 11 })] }, 'warning'],
  ['nothing known', { checks: [check({ ok: 0, unknown: 100 })] }, 'warning'],
  ['a day old', { checks: [check({ ageHours: 24 })] }, 'pass'],
  ['older than a day', { checks: [check({ ageHours: 24.01 })] }, 'warning'],
  ['old and failing', { checks: [failing(1, { ageHours: 99 })] }, 'fail'],
  [
    'one can be judged no more',
    { checks: [check({}), check({ ageHours: undefined, fault: 'x' })] },
    'warning',
  ],
  ['that one alone', { checks: [check({ ageHours: undefined, fault: 'x' })] }, 'not_assessed'],
  ['an attestation lifts no failure', { checks: [failing(1)], attestationDaysLeft: 300 }, 'fail'],
])('%s', (_, input, status) => {
  expect(statusOf(input)).toBe(status)
})

const outcome = fc
  .record({
    ok: fc.nat(50),
    failed: fc.nat(50),
    unknown: fc.nat(50),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    tolerance: fc.constantFrom('0', '1', '10', '2%', '100%'),
    ageHours: fc.option(fc.nat(48), { nil: undefined }),
  })
  .map(({ share, ...it }): CheckOutcome => ({
    ...it,
    inScope: it.ok + it.failed + it.unknown,
    excepted: Math.floor(it.failed * share),
  }))

test('no order of checks matters, and nothing passes of which less than nine tenths are known', () => {
  fc.assert(
    fc.property(
      fc.array(outcome, { maxLength: 4 }),
      fc.option(fc.nat(400), { nil: undefined }),
      (checks, days) => {
        const status = statusOf({ checks, attestationDaysLeft: days })
        expect(controlStatuses).toContain(status)
        expect(statusOf({ checks: checks.toReversed(), attestationDaysLeft: days })).toBe(status)
        const judged = checks.filter(({ ageHours, inScope }) => ageHours !== undefined && inScope > 0)
        const isDoubtful = judged.some((it) => it.failed > 0 || it.unknown > it.inScope / 10)
        expect(status === 'pass' && isDoubtful).toBe(false)
        expect(status === 'fail').toBe(judged.some((it) => statusOfCheck(it) === 'fail'))
      },
    ),
  )
})

interface WorkedCheck {
  readonly in_scope: number
  readonly ok: number
  readonly failed: number
  readonly unknown: number
  readonly excepted?: number
  readonly tolerance?: number | string
  readonly age_h?: number
  readonly judged?: boolean
}
interface WorkedCase {
  readonly name: string
  readonly input: {
    readonly checks?: readonly WorkedCheck[]
    readonly attestation_days_left?: number
    readonly statement?: string
  }
  readonly status: string
}

sharedData('compliance', 'worked statuses', (folder) => {
  const { cases } = JSON.parse(readFileSync(`${folder}/status-cases.json`, 'utf8')) as {
    cases: WorkedCase[]
  }
  test.each(cases)('$name', ({ input, status }) => {
    const checks = (input.checks ?? []).map((it): CheckOutcome => ({
      inScope: it.in_scope,
      ok: it.ok,
      failed: it.failed,
      unknown: it.unknown,
      excepted: it.excepted ?? 0,
      tolerance: String(it.tolerance ?? 0),
      ageHours: it.judged === false ? undefined : (it.age_h ?? 0),
    }))
    const isNotApplicable = input.statement === 'not_applicable_approved'
    const attestationDaysLeft = input.attestation_days_left
    expect(statusOf({ checks, attestationDaysLeft, isNotApplicable })).toBe(status)
  })
})
