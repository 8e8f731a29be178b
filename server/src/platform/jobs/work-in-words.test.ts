import { expect, test } from 'vitest'
import { job, longJob } from './job.ts'
import { jobRow, periodicRow } from './work-in-words.ts'

test('a job is tried five times within pauses of an hour, unless it says otherwise', () => {
  expect(jobRow(job('a.b'))).toEqual(['`a.b`', '5', 'short', '1 hour', 'no'])
  expect(jobRow(longJob('a.b', 1_000))).toEqual(['`a.b`', '1,000', 'long', '1 hour', 'no'])
  expect(jobRow(job('a.b', 8, { retrySecondsMax: 90, doesAll: true }))).toEqual([
    '`a.b`',
    '8',
    'short',
    '90 seconds',
    'yes',
  ])
})

test.each([
  [1, '1 second'],
  [5, '5 seconds'],
  [60, '1 minute'],
  [90, '90 seconds'],
  [600, '10 minutes'],
  [3_600, '1 hour'],
  [86_400, '1 day'],
  [90_000, '25 hours'],
])('%i seconds are %s', (everySeconds, text) => {
  expect(periodicRow({ name: 'a', everySeconds, run: async () => undefined })).toEqual(['`a`', text])
})
