import { expect, test } from 'vitest'
import { sortRows } from './sort-rows.ts'

const sorted = (values: readonly (string | number | null)[], direction: 'asc' | 'desc') =>
  sortRows(values, (value) => value, direction)

test('names are sorted with their numbers as numbers, and what is not known comes last either way', () => {
  expect(sorted(['host-10', '', 'Host-9', 'app'], 'asc')).toEqual(['app', 'Host-9', 'host-10', ''])
  expect(sorted(['host-10', '', 'Host-9', 'app'], 'desc')).toEqual(['host-10', 'Host-9', 'app', ''])
  expect(sorted([3, null, 0, 12], 'desc')).toEqual([12, 3, 0, null])
})

test('equal rows keep their order', () => {
  const rows = [
    { id: 1, at: 'a' },
    { id: 2, at: 'a' },
  ] as const
  expect(sortRows(rows, ({ at }) => at, 'desc').map(({ id }) => id)).toEqual([1, 2])
})
