import { expect, test } from 'vitest'
import { DEFAULT_PREFERENCES, type Digest, type Preferences } from '../rule.ts'
import { dueAt } from './due-time.ts'

const night: Partial<Preferences> = { quietFrom: '22:00', quietUntil: '06:30' }
const noon: Partial<Preferences> = { quietFrom: '12:00', quietUntil: '13:00' }
const berlin: Partial<Preferences> = { zone: 'Europe/Berlin' }

test.each<[string, Digest, Partial<Preferences>, string]>([
  ['2026-03-14T09:26:00Z', 'now', {}, '2026-03-14T09:26:00Z'],
  ['2026-03-14T09:26:00Z', 'hourly', {}, '2026-03-14T10:00:00Z'],
  ['2026-03-14T10:00:00Z', 'hourly', {}, '2026-03-14T11:00:00Z'],
  ['2026-03-14T09:26:00Z', 'daily', {}, '2026-03-15T08:00:00Z'],
  ['2026-03-14T06:26:00Z', 'daily', { ...berlin, digestHour: 8 }, '2026-03-14T07:00:00Z'],
  // the clock goes forward at 01:00 UTC of the 29th
  ['2026-03-28T12:00:00Z', 'daily', { ...berlin, digestHour: 8 }, '2026-03-29T06:00:00Z'],
  ['2026-03-14T23:00:00Z', 'now', night, '2026-03-15T06:30:00Z'],
  ['2026-03-14T03:00:00Z', 'now', night, '2026-03-14T06:30:00Z'],
  ['2026-03-14T06:30:00Z', 'now', night, '2026-03-14T06:30:00Z'],
  ['2026-03-14T21:59:00Z', 'now', night, '2026-03-14T21:59:00Z'],
  ['2026-03-14T11:30:00Z', 'now', { ...berlin, ...noon }, '2026-03-14T12:00:00Z'],
  ['2026-03-14T21:30:00Z', 'hourly', night, '2026-03-15T06:30:00Z'],
])('%s, told %s with %o: %s', (at, digest, preferences, due) => {
  expect(dueAt(new Date(at), digest, { ...DEFAULT_PREFERENCES, ...preferences })).toEqual(new Date(due))
})
