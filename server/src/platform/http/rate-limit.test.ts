import { expect, test } from 'vitest'
import { isOver, openLocalRateWindows, rateLimitHeaders } from './rate-limit.ts'

function windowsAt(limit: number) {
  const clock = { ms: 1_000 }
  return { clock, windows: openLocalRateWindows(limit, () => clock.ms) }
}

test('a window runs 60 seconds from the first request', () => {
  const { clock, windows } = windowsAt(2)
  expect(windows.count('a')).toMatchObject({ used: 1, secondsLeft: 60 })
  clock.ms += 59_999
  expect(windows.count('a').used).toBe(2)
  expect(isOver(windows.count('a'))).toBe(true)
  clock.ms += 1
  expect(windows.count('a')).toMatchObject({ used: 1, secondsLeft: 60 })
})

test('each caller has a window of its own', () => {
  const { windows } = windowsAt(2)
  windows.count('a')
  expect(windows.count('b').used).toBe(1)
})

test('only who is over is recalled, until the window ends', () => {
  const { clock, windows } = windowsAt(2)
  windows.remember('a', { limit: 2, used: 2, resetsAt: 0, secondsLeft: 10 }, clock.ms)
  expect(windows.recallOver('a')).toBeUndefined()
  windows.remember('a', { limit: 2, used: 3, resetsAt: 0, secondsLeft: 10 }, clock.ms)
  clock.ms += 9_999
  expect(windows.recallOver('a')).toMatchObject({ used: 3, secondsLeft: 0.001 })
  clock.ms += 1
  expect(windows.recallOver('a')).toBeUndefined()
})

test('a flood of invented callers pushes the oldest out, not the memory up', () => {
  const { windows } = windowsAt(1)
  windows.count('first')
  for (let n = 0; n < 99_999; n += 1) windows.count(`flood ${n}`)
  expect(windows.count('first').used).toBe(2)
  for (let n = 0; n < 100_000; n += 1) windows.count(`flood ${n}`)
  expect(windows.count('first').used).toBe(1)
})

test('the headers never go below zero', () => {
  const headers = (used: number) =>
    rateLimitHeaders({ limit: 100, used, resetsAt: 1_700_000_000, secondsLeft: 1 })
  expect(headers(1)).toEqual({
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
    'x-ratelimit-reset': '1700000000',
  })
  expect(headers(100)['x-ratelimit-remaining']).toBe('0')
  expect(headers(900)['x-ratelimit-remaining']).toBe('0')
})
