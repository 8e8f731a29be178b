import { expect, test } from 'vitest'
import { ago, dayIn, duration, endOfDay } from './dates.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T12:00:30Z', 'just now'],
  ['2026-11-21T11:01:00Z', '59 min. ago'],
  ['2026-11-21T09:00:00Z', '3 hr. ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-11-24T12:00:00Z', 'in 3 days'],
  ['2025-11-01T12:00:00Z', 'last yr.'],
])('%s is %s', (instant, words) => {
  expect(ago(instant, now)).toBe(words)
})

test.each([
  [-1, '0 s'],
  [59.4, '59 s'],
  [60, '1 min 0 s'],
  [3_700, '1 h 1 min'],
])('%d seconds are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words)
})

test('days from now are written as date fields want them, over the ends of months', () => {
  const noon = new Date(2026, 10, 21, 12).getTime()
  expect(dayIn(0, noon)).toBe('2026-11-21')
  expect(dayIn(90, noon)).toBe('2027-02-19')
})

test('a day ends where the person is; what is no day has no end', () => {
  expect(endOfDay('2027-02-19')).toEqual(new Date(2027, 1, 19, 23, 59, 59, 999))
  expect(endOfDay('')).toBeUndefined()
})
