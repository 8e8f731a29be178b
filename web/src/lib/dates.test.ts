import { afterEach, expect, test } from 'vitest'
import { ago, dayIn, duration, endOfDay, exactly, startOfDay } from './dates.ts'
import { setFormats, type Formats } from './formats.ts'
import { count, decimal, percent } from './numbers.ts'

const AS_USUAL: Formats = { timeZone: null, dateFormat: null, numberFormat: null }
afterEach(() => setFormats(AS_USUAL))

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

test.each([
  ['America/New_York', '2026-11-21', '2026-11-21T05:00:00.000Z', '2026-11-22T04:59:59.999Z'],
  // clocks go forward at 2:00 and back at 3:00
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
])('in %s the %s is from %s to %s', (timeZone, day, from, to) => {
  setFormats({ ...AS_USUAL, timeZone })
  expect([startOfDay(day).toISOString(), endOfDay(day)?.toISOString()]).toEqual([from, to])
})

test.each([
  [{ dateFormat: 'iso' }, '2026-11-21 05:07:09'],
  [{ dateFormat: 'day_dots' }, '21.11.2026, 05:07:09'],
  [{ dateFormat: 'day_slashes' }, '21/11/2026, 05:07:09'],
  [{ dateFormat: 'month_slashes' }, '11/21/2026, 5:07:09 AM'],
  [{}, 'Nov 21, 2026, 5:07:09 AM'],
] as const)('with %j an instant is written %s', (chosen, written) => {
  setFormats({ ...AS_USUAL, timeZone: 'Asia/Tokyo', ...chosen })
  expect(exactly('2026-11-20T20:07:09Z').replaceAll(/\s/g, ' ')).toBe(written)
})

test.each([
  [null, '12,345', '9.8', '83%'],
  ['dot_comma', '12.345', '9,8', '83 %'],
  ['space_comma', '12 345', '9,8', '83 %'],
  ['apostrophe_dot', '12’345', '9.8', '83%'],
] as const)('numbers as %s', (numberFormat, whole, part, share) => {
  setFormats({ ...AS_USUAL, numberFormat })
  expect(
    [count(12_345), decimal(9.8, 1), percent(0.83)].map((it) => it.replaceAll(/\s/g, ' ').replace("'", '’')),
  ).toEqual([whole, part, share])
})
