import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Db } from '../db.ts'
import { watchReplica } from './replica-watch.ts'

/** By the clock of the test, which does not move the timers of `node:timers/promises`. */
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

/** Half a second between two questions. */
const round = (count = 1) => vi.advanceTimersByTimeAsync(count * 500)

async function scene() {
  const at = { written: 0, replayed: 0, database: 'db 1', isAway: false, moment: 0 }
  const log = { warn: vi.fn<(...of: unknown[]) => void>() }
  const onHeard = vi.fn<() => void>()
  const run = vi.fn<() => Promise<number>>(() => Promise.resolve(0))
  const primary = {
    one: () => Promise.resolve({ at: `moment ${(at.moment += 1)}`, written: at.written, database: 'db 1' }),
    run,
  } as unknown as Db
  const replica = {
    one: () =>
      at.isAway
        ? Promise.reject(new Error('away'))
        : Promise.resolve({ replayed: at.replayed, database: at.database }),
  } as unknown as Db
  const watch = watchReplica({ primary, replica, log: log as never, onHeard, pause })
  onTestFinished(watch.close)
  await vi.advanceTimersByTimeAsync(0)
  return { at, watch, onHeard, run, said: () => log.warn.mock.calls.map((it) => it.at(-1)) }
}

test('it is of the latest moment whose log it has replayed', async () => {
  const { at, watch, onHeard } = await scene()
  expect(watch.asOf()).toBe('moment 1')
  at.written = 10
  await round(2)
  expect(watch.asOf()).toBe('moment 1')
  at.replayed = 10
  await round()
  expect(watch.asOf()).toBe('moment 4')
  at.written = 20
  await round()
  expect(watch.asOf()).toBe('moment 4')
  // what was written at moment 5 is there while the primary is further
  at.written = 30
  at.replayed = 20
  await round()
  expect(watch.asOf()).toBe('moment 5')
  expect(onHeard).toHaveBeenCalledTimes(6)
})

test('older than five seconds is not answered', async () => {
  const { at, watch, said } = await scene()
  at.isAway = true
  await round(9)
  expect(watch.asOf()).toBe('moment 1')
  await round()
  expect(watch.asOf()).toBeUndefined()
  expect(said()).toEqual(['the replica is not asked'])
  at.isAway = false
  await round()
  expect(watch.asOf()).toBe('moment 12')
  at.isAway = true
  await round()
  expect(said()).toEqual(['the replica is not asked', 'the replica is not asked'])
})

test('what was asked more than five seconds ago is no moment that is reached later', async () => {
  const { at, watch } = await scene()
  at.written = 10
  at.replayed = -1
  await round(11)
  at.replayed = 0
  await round()
  expect(watch.asOf()).toBeUndefined()
})

test('another database is not used, and told of once', async () => {
  const { at, watch, said } = await scene()
  at.database = 'db 2'
  await round(2)
  expect(watch.asOf()).toBeUndefined()
  expect(said()).toEqual(['READ_DATABASE_URL leads to another database; it is not used'])
  at.database = 'db 1'
  await round()
  expect(watch.asOf()).toBe('moment 4')
  at.database = 'db 2'
  await round()
  expect(said()).toHaveLength(2)
})

test('old notes of writes are swept at once and then each minute', async () => {
  const { run } = await scene()
  expect(run).toHaveBeenCalledTimes(1)
  await round(119)
  expect(run).toHaveBeenCalledTimes(1)
  await round()
  expect(run).toHaveBeenCalledTimes(2)
})

test('when it is closed, nobody is asked and nobody is told', async () => {
  const { at, watch, onHeard, said } = await scene()
  watch.close()
  at.isAway = true
  await round(3)
  expect(onHeard).toHaveBeenCalledTimes(1)
  expect(said()).toEqual([])
})
