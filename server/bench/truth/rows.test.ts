import { expect, test } from 'vitest'
import { figureRow, isMet, shareRow } from './rows.ts'

test('a share has the interval of Wilson, also where nothing was asked', () => {
  const { value, low, high } = shareRow('x', { asked: 100, count: 99 })
  expect(value).toBe(0.99)
  expect([low, high].map((each) => Number(each.toFixed(3)))).toEqual([0.946, 0.998])
  expect(shareRow('x', { asked: 0, count: 0 })).toMatchObject({ low: 0, high: 1 })
})

test('the interval of a figure is the same in each run, and holds the figure', () => {
  const mean = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / all.length
  const cases = Array.from({ length: 50 }, (_, at) => at % 7)
  const row = figureRow('x', cases, mean)
  expect(figureRow('x', cases, mean)).toEqual(row)
  expect(row.low).toBeLessThan(row.value)
  expect(row.high).toBeGreaterThan(row.value)
})

test('a goal is met from the figure on', () => {
  expect(isMet(shareRow('x', { asked: 10, count: 9 }, { atLeast: 0.9 }))).toBe(true)
  expect(isMet(shareRow('x', { asked: 10, count: 9 }, { atMost: 0.8 }))).toBe(false)
  expect(isMet(shareRow('x', { asked: 10, count: 0 }))).toBe(true)
})
