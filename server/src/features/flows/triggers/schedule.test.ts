import { expect, test } from 'vitest'
import { nextTime, timesAfter } from './schedule.ts'

test.each([
  [
    'a local time that a clock change leaves out',
    '30 2 * * * Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'a local time that comes twice: the first',
    '30 2 * * * Europe/Berlin',
    '2026-10-24T12:00:00Z',
    '2026-10-25T00:30:00.000Z',
  ],
  [
    'the day after it came twice',
    '30 2 * * * Europe/Berlin',
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30:00.000Z',
  ],
  ['29 February', '0 8 29 2 * UTC', '2026-03-01T00:00:00Z', '2028-02-29T08:00:00.000Z'],
  ['day 31', '0 8 31 * * UTC', '2026-04-01T00:00:00Z', '2026-05-31T08:00:00.000Z'],
  ['a zone of 45 minutes', '0 8 * * * Asia/Kathmandu', '2026-01-01T00:00:00Z', '2026-01-01T02:15:00.000Z'],
  [
    'a clock change of half an hour',
    '15 2 * * * Australia/Lord_Howe',
    '2026-10-03T12:00:00Z',
    '2026-10-03T15:30:00.000Z',
  ],
])('%s', (_, schedule, from, next) => {
  const [minute, hour, day, month, weekday, zone = ''] = schedule.split(' ')
  const cron = [minute, hour, day, month, weekday].join(' ')
  expect(nextTime({ cron, zone }, new Date(from)).toISOString()).toBe(next)
})

test('the next times are those of nextTime, one after the other', () => {
  const schedule = { cron: '*/30 * * * *', zone: 'Europe/Berlin' }
  const times = timesAfter(schedule, new Date('2026-10-25T00:10:00Z'), 5)
  expect(times.map((time) => time.toISOString().slice(11, 16))).toEqual([
    '00:30',
    '01:00',
    '01:30',
    '02:00',
    '02:30',
  ])
})
