import { expect, test } from 'vitest'
import { inSlices } from './time-slices.ts'

test('all items come in their order, and other work gets its turn between them', async () => {
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
