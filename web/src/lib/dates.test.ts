import { expect, test } from 'vitest'
import { ago, duration } from './dates.ts'

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
