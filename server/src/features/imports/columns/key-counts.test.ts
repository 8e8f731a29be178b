import { expect, test } from 'vitest'
import { KeyCounts } from './key-counts.ts'

test('keys are counted, also when there are more than fit at first', () => {
  const counts = new KeyCounts()
  const keys = Array.from({ length: 20_000 }, (_, n) => `serial:${n}`)
  expect(new Set(keys.map((key) => counts.count(key)))).toEqual(new Set([1]))
  expect([counts.count('serial:7'), counts.count('serial:7'), counts.count('serial:new')]).toEqual([2, 3, 1])
})

test('issue 9: one key too many is not counted, and the others still are', () => {
  const counts = new KeyCounts(2)
  expect(['a', 'b', 'c', 'a', 'c'].map((key) => counts.count(key))).toEqual([1, 1, undefined, 2, undefined])
})
