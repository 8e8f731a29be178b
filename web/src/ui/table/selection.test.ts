import { expect, test } from 'vitest'
import { EVERYTHING, isSelected, NOTHING, select, sizeOf } from './selection.ts'

test('rows are added and taken away', () => {
  const two = select(NOTHING, ['a', 'b'], true)
  expect(sizeOf(two, 9)).toBe(2)
  const one = select(two, ['a', 'c'], false)
  expect([isSelected(one, 'a'), isSelected(one, 'b')]).toEqual([false, true])
})

test('all that match are selected without being loaded, but for those taken away', () => {
  expect(sizeOf(EVERYTHING, 1_000_000)).toBe(1_000_000)
  const most = select(select(EVERYTHING, ['a', 'b'], false), ['b'], true)
  expect(sizeOf(most, 10)).toBe(9)
  expect([isSelected(most, 'a'), isSelected(most, 'b')]).toEqual([false, true])
})
