import { expect, test } from 'vitest'
import { dayError, variablesOf } from './exception.ts'

const subject = { checkId: 'c', title: 'C', asset: { id: 'a', name: 'A' } }
const values = {
  scope: 'all',
  tag: ' t ',
  reason: ' r ',
  owner: ' ada@example.org ',
  endsOn: '2031-01-31',
} as const

test.each([
  ['all', null, null],
  ['tag', null, 't'],
  ['asset', 'a', null],
] as const)('an exception of %s names that alone', (scope, assetId, tag) => {
  expect(variablesOf(subject, { ...values, scope })).toMatchObject({
    assetId,
    tag,
    reason: 'r',
    checkId: 'c',
  })
})

test('it ends with its last day, which must be one to come', () => {
  expect(Date.parse(variablesOf(subject, values).expiresAt)).toBeGreaterThan(
    Date.parse('2031-01-30T00:00:00Z'),
  )
  expect(dayError('')).toBe('Pick a day')
  expect(dayError('2001-01-01')).toBe('This day has passed')
  expect(dayError('2999-01-01')).toBeUndefined()
})
