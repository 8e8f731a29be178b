import { expect, test } from 'vitest'
import { isCalendarDate, isInstant } from './calendar-date.ts'

test.each([
  ['2026-03-31', true],
  ['2024-02-29', true],
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['0000-01-01', false],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['26-03-31', false],
])('%s is a day: %s', (text, is) => expect(isCalendarDate(text)).toBe(is))

test.each([
  ['2026-03-31T12:00:00Z', true],
  ['2026-03-31T12:00:00.123456789+14:00', true],
  ['9999-12-31T23:59:59Z', true],
  ['9999-12-31T23:59:59-00:01', false],
  ['9999-12-31T23:59:59.999999999Z', true],
  ['0001-01-01T00:00:00Z', true],
  ['0001-01-01T00:00:00+00:01', false],
  ['2026-03-31T12:00:00+15:59', true],
  ['2026-03-31T12:00:00+16:00', false],
  ['2026-03-31T12:00:00.1234567890Z', false],
  ['2026-02-30T00:00:00Z', false],
  ['2016-12-31T23:59:60Z', false],
  ['2026-01-01T00:00:00+25:00', false],
  ['0000-01-01T00:00:00Z', false],
  ['+275760-09-13T00:00:00Z', false],
  ['2026-01-01T00:00:00', false],
  ['2026-01-01', false],
])('%s is an instant: %s', (text, is) => expect(isInstant(text)).toBe(is))
