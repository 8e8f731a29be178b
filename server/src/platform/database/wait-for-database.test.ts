import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from './unavailable-errors.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** By the clock of the test, which does not move the timers of `node:timers/promises`. */
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

const away = new DatabaseUnavailable('the server is away')

/** More than are ever tried; without an end a fault here would be one of the tests too. */
const TRIES_MAX = 1_000

/** Work that fails for so long. */
function scene(awayForMs: number, stopping?: Promise<unknown>) {
  const log = { warn: vi.fn<(...of: unknown[]) => void>() }
  const from = performance.now()
  let tries = 0
  const work = vi.fn<() => Promise<string>>(() => {
    if ((tries += 1) > TRIES_MAX) return Promise.reject(new Error('it is tried without an end'))
    return performance.now() - from < awayForMs ? Promise.reject(away) : Promise.resolve('done')
  })
  const answer = waitForDatabase({ log: log as never, pause, ...(stopping && { stopping }) }, work)
  const ended = vi.fn<(outcome: unknown) => void>()
  void answer.then(ended, ended)
  return { outcome: () => ended.mock.calls[0]?.[0], work, told: () => log.warn.mock.calls.map(([it]) => it) }
}

test('what succeeds is done once, and nobody is told', async () => {
  const { outcome, work, told } = scene(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(outcome()).toBe('done')
  expect([work.mock.calls.length, told()]).toEqual([1, []])
})

test('it is tried twice a second, and told of every five seconds', async () => {
  const { outcome, work, told } = scene(11_000)
  await vi.advanceTimersByTimeAsync(11_000)
  expect(outcome()).toBe('done')
  expect(work).toHaveBeenCalledTimes(23)
  expect(told()).toEqual([0, 5, 10].map((seconds) => ({ reason: 'the server is away', seconds })))
})

test('after a minute it is given up, and not before', async () => {
  const late = scene(60_000)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(late.outcome()).toBe('done')
  const never = scene(Infinity)
  await vi.advanceTimersByTimeAsync(60_500)
  expect(never.outcome()).toBe(away)
  expect(never.work).toHaveBeenCalledTimes(122)
})

test('who stops does not wait', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { outcome, work } = scene(Infinity, promise)
  await vi.advanceTimersByTimeAsync(700)
  resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(outcome()).toBe(away)
  expect(work).toHaveBeenCalledTimes(3)
})

test('another error is not waited for', async () => {
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('a fault')))
  await expect(waitForDatabase({ log: { warn: vi.fn<() => void>() } as never }, work)).rejects.toThrow(
    'a fault',
  )
  expect(work).toHaveBeenCalledTimes(1)
})
