import { expect, test } from 'vitest'
import { fittedExponent } from './exponent.ts'

const of = (cost: (size: number) => number) =>
  fittedExponent([10_000, 100_000, 1_000_000].map((size) => ({ size, cost: cost(size) })))

test.each([
  [(size: number) => 3 * size, 1],
  [() => 7, 0],
  [(size: number) => 2 * size ** 1.5, 1.5],
])('a cost that grows so has that exponent', (cost, exponent) => {
  expect(of(cost)).toBeCloseTo(exponent, 6)
})

test('of one size, or of costs too small to be seen, nothing is said', () => {
  expect(fittedExponent([{ size: 10, cost: 4 }])).toBe(undefined)
  expect(
    fittedExponent([
      { size: 10, cost: 4 },
      { size: 100, cost: 0 },
    ]),
  ).toBe(undefined)
})
