import { expect, test } from 'vitest'
import { bytesText, scheduleText } from './report.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [12_345, '12 kB'],
  [1_701_390, '1.7 MB'],
  [52_600_000_000, '53 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test.each([
  [null, null, 'Generated when somebody asks for it.'],
  ['0 6 * * 1', 'Europe/Berlin', 'Every Monday at 06:00, Europe/Berlin.'],
  ['5 4 * * 2', 'UTC', '5 4 * * 2, UTC.'],
])('the schedule %s %s is read as %s', (cron, zone, text) => {
  expect(scheduleText(cron, zone)).toBe(text)
})
