import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchesFrom, batchesOf } from './batches.ts'

const LONG_MS = 60_000

async function* giving<T>(items: readonly (T | Error | Promise<unknown>)[]): AsyncGenerator<T> {
  for (const item of items) {
    if (item instanceof Error) throw item
    if (item instanceof Promise) await item
    else yield item
  }
}

async function collected<T>(batches: AsyncIterable<T[]>): Promise<{ batches: T[][]; error?: unknown }> {
  const seen: T[][] = []
  try {
    for await (const batch of batches) seen.push(batch)
  } catch (error) {
    return { batches: seen, error }
  }
  return { batches: seen }
}

test('a list is cut into slices', () => {
  expect([...batchesOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...batchesOf([], 2)]).toEqual([])
})

test('fills batches, and gives the rest at the end', async () => {
  const batches = batchesFrom(giving([1, 2, 3, 4, 5]), { sizeMax: 2, waitMs: LONG_MS })
  expect(await collected(batches)).toEqual({ batches: [[1, 2], [3, 4], [5]] })
})

test('nothing gives nothing', async () => {
  expect(await collected(batchesFrom(giving([]), { sizeMax: 2, waitMs: LONG_MS }))).toEqual({ batches: [] })
})

test('a batch does not wait for more for ever', async () => {
  const later = Promise.withResolvers<unknown>()
  const batches = batchesFrom(giving([1, later.promise, 2]), { sizeMax: 10, waitMs: 5 })
  expect(await batches.next()).toEqual({ done: false, value: [1] })
  later.resolve(undefined)
  expect(await batches.next()).toEqual({ done: false, value: [2] })
  expect(await batches.next()).toMatchObject({ done: true })
})

test('items before a failure are yielded before the error', async () => {
  const failure = new Error('cable cut')
  const batches = batchesFrom(giving([1, 2, 3, failure]), { sizeMax: 2, waitMs: LONG_MS })
  expect(await collected(batches)).toEqual({ batches: [[1, 2], [3]], error: failure })
})

test('a consumer that fails is not held up by a source that waits', async () => {
  const never = sleep(LONG_MS, undefined, { ref: false })
  const consume = async (): Promise<void> => {
    for await (const batch of batchesFrom(giving([1, never]), { sizeMax: 1, waitMs: 1 })) {
      throw new Error(`intake down at ${batch.join()}`)
    }
  }
  await expect(consume()).rejects.toThrow('intake down at 1')
})
