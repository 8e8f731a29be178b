import { expect, test } from 'vitest'
import { inSlices, sortedInSlices } from './time-slices.ts'

test('items keep their order, and the event loop runs other work between slices', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const seen: number[] = []
  for await (const slice of inSlices(Array.from({ length: 1_000 }, (_, n) => n)))
    for (const item of slice) {
      const until = performance.now() + 0.1
      while (performance.now() < until);
      seen.push(item)
    }
  clearInterval(timer)
  expect([seen.length, seen.at(0), seen.at(-1), turns > 2]).toEqual([1_000, 0, 999, true])
})

test('more than one block is sorted as a whole, texts and numbers', async () => {
  const numbers = Array.from({ length: 10_000 }, (_, n) => (n * 7_919) % 10_007)
  expect(await sortedInSlices(numbers)).toEqual(numbers.toSorted((a, b) => a - b))
  const texts = numbers.map((n) => n.toString(36))
  expect(await sortedInSlices(texts)).toEqual(texts.toSorted())
  expect(await sortedInSlices([])).toEqual([])
})
