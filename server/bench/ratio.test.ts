import { expect, test } from 'vitest'
import { judge, percentile, type Figures } from './ratio.ts'

const figures: Figures = {
  name: 'list',
  title: 'List',
  perSecond: 700,
  limitPerSecond: 1_000,
  ratio: 0.7,
  goals: { ratio: 0.6, perSecond: 600, p95Ms: 50 },
  p50Ms: 10,
  p95Ms: 40,
  faults: [],
}

test('what reaches its goals is met', () => {
  expect(judge(figures)).toMatchObject({ shortfalls: [], isExact: true })
})

test.each<[Partial<Figures>, string]>([
  [{ ratio: 0.594 }, '0.59 of the limit instead of 0.6'],
  [{ perSecond: 599 }, '599 a second instead of 600'],
  [{ p95Ms: 51 }, 'p95 51 ms instead of 50'],
])('%j falls short', (change, shortfall) => {
  expect(judge({ ...figures, ...change })).toMatchObject({ shortfalls: [shortfall], isExact: true })
})

test('a wrong total is no matter of speed', () => {
  const faults = ['/assets: 9 in all instead of 10']
  expect(judge({ ...figures, faults })).toMatchObject({ shortfalls: faults, isExact: false })
})

test.each([
  [[5, 1, 3], 0.5, 3],
  [[1, 2, 3, 4], 0.95, 4],
  [[7], 0.95, 7],
  [[], 0.5, Number.NaN],
])('of %j at %d: %d', (values, share, expected) => expect(percentile(values, share)).toBe(expected))
