import { expect, test } from 'vitest'
import { inStableOrder } from './stable-pair-order.ts'

const pair = (a: string, b: string, score = 0.5) => ({ assetA: { id: a }, assetB: { id: b }, score })

test('an answered pair keeps its place, the others theirs, and new ones follow', () => {
  const before = inStableOrder([], [pair('a', 'b'), pair('c', 'd'), pair('e', 'f')])
  const after = inStableOrder(before, [pair('x', 'y'), pair('e', 'f', 0.7), pair('c', 'd')])
  expect(after).toEqual([pair('a', 'b'), pair('c', 'd'), pair('e', 'f', 0.7), pair('x', 'y')])
})
