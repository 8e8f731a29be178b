import { expect, test } from 'vitest'
import { concurrencyLimit } from './concurrency-limit.ts'

test('at most the limit at the same time, the others in order', async () => {
  const limit = concurrencyLimit(2)
  const [first, second] = [await limit.acquire(), await limit.acquire()]
  const order: string[] = []
  const third = limit.acquire().then((done) => (order.push('third'), done))
  const fourth = limit.acquire().then((done) => (order.push('fourth'), done))
  await Promise.resolve()
  expect(order).toEqual([])
  first()
  first() // gives back once
  const done = await third
  expect(order).toEqual(['third'])
  second()
  done()
  await fourth
  expect(order).toEqual(['third', 'fourth'])
})
