import { expect, test } from 'vitest'
import { concurrently } from './concurrency.ts'

const tick = (): Promise<void> => new Promise(setImmediate)

test('does everything, never more than the limit at once', async () => {
  let running = 0
  let most = 0
  const results = []
  const items = Array.from({ length: 100 }, (_, i) => i)
  for await (const result of concurrently(items, 7, async (item) => {
    most = Math.max(most, ++running)
    await tick()
    running--
    return item * 2
  }))
    results.push(result)
  expect(most).toBe(7)
  expect(new Set(results)).toEqual(new Set(items.map((item) => item * 2)))
  expect(results).toHaveLength(100)
})

test('takes no more items than its reader can follow', async () => {
  let taken = 0
  function* endless(): Generator<number> {
    for (;;) yield taken++
  }
  const reader = concurrently(endless(), 4, (item) => Promise.resolve(item))
  await reader.next()
  for (let i = 0; i < 20; i++) await tick()
  expect(taken).toBeLessThanOrEqual(9)
  await reader.return(undefined)
})

test('gives what is done, then the first failure', async () => {
  const seen: number[] = []
  const read = async (): Promise<void> => {
    for await (const item of concurrently([1, 2, 3], 1, (it) =>
      it === 3 ? Promise.reject(new Error('no')) : Promise.resolve(it),
    ))
      seen.push(item)
  }
  await expect(read()).rejects.toThrow('no')
  expect(seen).toEqual([1, 2])
})
