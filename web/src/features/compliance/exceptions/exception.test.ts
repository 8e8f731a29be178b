import { expect, test } from 'vitest'
import { dayError, targetOf, variablesOf } from './exception.ts'

const subject = { checkId: 'c', title: 'C', asset: { id: 'a', name: 'A' } }
const values = {
  scope: 'all',
  tag: ' t ',
  where: ' os = x ',
  reason: ' r ',
  owner: ' ada@example.org ',
  endsOn: '2031-01-31',
} as const

test.each([
  ['all', null, null, null],
  ['tag', null, 't', null],
  ['where', null, null, 'os = x'],
  ['asset', 'a', null, null],
] as const)('an exception of %s names that alone', (scope, assetId, tag, where) => {
  expect(variablesOf(subject, { ...values, scope })).toMatchObject({
    assetId,
    tag,
    where,
    reason: 'r',
    checkId: 'c',
  })
})

test('what it covers is asked for once that is said', () => {
  expect(targetOf(subject, { ...values, scope: 'where', where: ' ' })).toBeUndefined()
  expect(targetOf(subject, { ...values, scope: 'tag', tag: '' })).toBeUndefined()
  const control = { framework: 'f', controlId: 'c', title: 'C' }
  expect(targetOf(control, { ...values, scope: 'all' })).toEqual({
    framework: 'f',
    controlId: 'c',
    assetId: null,
    tag: null,
    where: null,
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
