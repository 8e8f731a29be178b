import { expect, test } from 'vitest'
import { turnsFor } from './concurrency-limit.ts'

test('as many at once as there are turns, the others in order', async () => {
  const turns = turnsFor(2)
  const [first, second] = [await turns.take(), await turns.take()]
  const order: string[] = []
  const third = turns.take().then((done) => (order.push('third'), done))
  const fourth = turns.take().then((done) => (order.push('fourth'), done))
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
