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

const read = (schedule: string) => {
  const fields = schedule.split(' ')
  return { cron: fields.slice(0, -1).join(' '), zone: fields.at(-1) ?? '' }
}

/** Several in a row: each is asked for from the one before, as the scheduler does. */
test.each([
  [
    'a missing 02:30 is 03:00',
    '30 2 * * * Europe/Berlin',
    '2026-03-28T00:00Z',
    ['2026-03-28T01:30Z', '2026-03-29T01:00Z', '2026-03-30T00:30Z', '2026-03-31T00:30Z'],
  ],
  [
    'of two 02:30 the first',
    '30 2 * * * Europe/Berlin',
    '2026-10-24T00:00Z',
    ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  ],
  [
    'every half hour through an hour that comes twice',
    '*/30 * * * * Europe/Berlin',
    '2026-10-24T23:30Z',
    ['2026-10-25T00:00Z', '2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'],
  ],
  [
    'every half hour over an hour that is left out',
    '*/30 * * * * Europe/Berlin',
    '2026-03-29T00:00Z',
    ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z', '2026-03-29T02:00Z'],
  ],
  [
    'months without a 31st are left out',
    '0 0 31 * * UTC',
    '2026-01-01T00:00Z',
    ['2026-01-31T00:00Z', '2026-03-31T00:00Z', '2026-05-31T00:00Z', '2026-07-31T00:00Z'],
  ],
  ['leap days', '0 0 29 2 * UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
  [
    'Mondays to Fridays in a zone of 45 minutes',
    '0 9 * * 1-5 Asia/Kathmandu',
    '2026-11-20T00:00Z',
    ['2026-11-20T03:15Z', '2026-11-23T03:15Z', '2026-11-24T03:15Z'],
  ],
  [
    'half an hour is repeated',
    '0 2 * * * Australia/Lord_Howe',
    '2026-04-04T00:00Z',
    ['2026-04-04T15:30Z', '2026-04-05T15:30Z', '2026-04-06T15:30Z'],
  ],
  [
    'a time within the half hour that is repeated: the first',
    '45 1 * * * Australia/Lord_Howe',
    '2026-04-03T16:00Z',
    ['2026-04-04T14:45Z', '2026-04-05T15:15Z'],
  ],
])('%s, one after the other', (_, schedule, from, expected) => {
  const { cron, zone } = read(schedule)
  let at = new Date(from)
  const times = expected.map(() => (at = nextTime({ cron, zone }, at)))
  expect(times.map((time) => time.toISOString())).toEqual(
    expected.map((time) => new Date(time).toISOString()),
  )
  const listed = timesAfter({ cron, zone }, new Date(from), expected.length)
  expect(listed).toEqual(times)
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
