import { expect, test } from 'vitest'
import { visibleRows, scrollTopOf } from './virtual-rows.ts'

const list = { total: 1_000_000, rowHeight: 34, viewHeight: 680 }

test('draws the rows in sight and a few beyond', () => {
  expect(visibleRows({ ...list, total: 1_000, scrollTop: 3_400 })).toEqual({
    first: 92,
    end: 128,
    top: 3_128,
    height: 34_000,
  })
})

test('a million rows stay below what browsers draw, and both ends are reached', () => {
  const start = visibleRows({ ...list, scrollTop: 0 })
  const end = visibleRows({ ...list, scrollTop: start.height - list.viewHeight })
  expect(start).toMatchObject({ first: 0, top: 0, height: 15_000_000 })
  expect(end.end).toBe(list.total)
  expect(end.top + (end.end - end.first) * list.rowHeight).toBeCloseTo(end.height, 3)
})

test.each([0, 499_999, 999_999])('row %i comes into sight', (row) => {
  const scrollTop = scrollTopOf(row, { ...list, scrollTop: 7_000_000 })
  const { first, end, top } = visibleRows({ ...list, scrollTop })
  expect(row).toBeGreaterThanOrEqual(first)
  expect(row).toBeLessThan(end)
  const y = top + (row - first) * list.rowHeight - scrollTop
  expect(y).toBeGreaterThanOrEqual(-0.01)
  expect(y + list.rowHeight).toBeLessThanOrEqual(list.viewHeight + 0.01)
})

test('a row in sight moves nothing', () => {
  expect(scrollTopOf(105, { ...list, total: 1_000, scrollTop: 3_400 })).toBe(3_400)
})

test('an empty list and one that fits', () => {
  expect(visibleRows({ ...list, total: 0, scrollTop: 0 })).toEqual({ first: 0, end: 0, top: 0, height: 0 })
  expect(visibleRows({ ...list, total: 3, scrollTop: 50 })).toEqual({ first: 0, end: 3, top: 0, height: 102 })
})
