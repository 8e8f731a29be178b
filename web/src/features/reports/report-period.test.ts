import { expect, test } from 'vitest'
import { isPeriod, usualPeriods } from './report-period.ts'

test.each([
  '2026',
  '2026-Q3',
  '2026-09',
  '2026-12',
  '2026-01-01/2026-03-31',
  'last-30-days',
  'last-3660-days',
])('%s is a period', (text) => expect(isPeriod(text)).toBe(true))

test.each(['', 'last month', '2026-Q5', '2026-13', '2026-9', '26', 'last-0-days', '2026-01-01', ' 2026'])(
  '"%s" is none',
  (text) => expect(isPeriod(text)).toBe(false),
)

test.each([
  ['2026-11-29', ['last-7-days', 'last-30-days', '2026-10', '2026-Q3', '2025']],
  ['2026-01-31', ['last-7-days', 'last-30-days', '2025-12', '2025-Q4', '2025']],
  ['2026-03-31', ['last-7-days', 'last-30-days', '2026-02', '2025-Q4', '2025']],
  ['2026-04-01', ['last-7-days', 'last-30-days', '2026-03', '2026-Q1', '2025']],
])('on %s these are offered: %j', (day, offered) => {
  expect(usualPeriods(new Date(`${day}T12:00:00Z`))).toEqual(offered)
  expect(offered.filter((it) => !isPeriod(it))).toEqual([])
})
