import { expect, test } from 'vitest'
import { parsePeriod } from './period.ts'

const NOW = new Date('2026-11-22T12:34:56.789Z')

test.each([
  ['2026', '2026-01-01', '2027-01-01'],
  ['0099', '0099-01-01', '0100-01-01'],
  ['2026-Q1', '2026-01-01', '2026-04-01'],
  ['2026-Q4', '2026-10-01', '2027-01-01'],
  ['2026-09', '2026-09-01', '2026-10-01'],
  ['2026-12', '2026-12-01', '2027-01-01'],
  ['2024-02', '2024-02-01', '2024-03-01'],
  ['2026-01-01/2026-03-31', '2026-01-01', '2026-04-01'],
  ['2024-02-29/2024-02-29', '2024-02-29', '2024-03-01'],
])('%s is from %s until before %s, in UTC', (text, from, until) => {
  expect(parsePeriod(text, NOW)).toEqual({
    from: new Date(`${from}T00:00:00Z`),
    until: new Date(`${until}T00:00:00Z`),
  })
})

test.each([
  ['last-1-days', '2026-11-21T12:34:56.789Z'],
  ['last-30-days', '2026-10-23T12:34:56.789Z'],
  ['last-3660-days', '2016-11-14T12:34:56.789Z'],
])('%s is from %s until now', (text, from) => {
  expect(parsePeriod(text, NOW)).toEqual({ from: new Date(from), until: NOW })
})

test.each([
  '',
  ' 2026',
  '26',
  '2026-Q0',
  '2026-Q5',
  '2026-q1',
  '2026-00',
  '2026-13',
  '2026-9',
  '2026-02-30/2026-03-01',
  '2023-02-29/2023-02-29',
  '2026-03-31/2026-01-01',
  '2026-01-01',
  '2026-01-01/',
  'last-0-days',
  'last-3661-days',
  'last-99999-days',
  'last month',
  'x'.repeat(100),
])('%j is not understood', (text) => {
  expect(parsePeriod(text, NOW)).toBeUndefined()
})
