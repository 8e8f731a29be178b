import { describe, expect, test } from 'vitest'
import { seededRandom, permuted, xoshiro128 } from './seeded-random.ts'

test('xoshiro128** gives the numbers of its reference implementation', () => {
  const next = xoshiro128([1, 2, 3, 4])
  const reference = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597]
  expect(reference.map(next)).toEqual(reference)
})

describe('draws', () => {
  test('are the same for the same path, others for another', () => {
    const some = (...path: (string | number)[]) =>
      Array.from({ length: 5 }, () => seededRandom(...path).below(1e9))
    expect(some(1, 'a', 2)).toEqual(some(1, 'a', 2))
    expect(seededRandom(1, 'a', 2).hex(32)).not.toBe(seededRandom(1, 'a', 3).hex(32))
  })

  test('stay in their bounds and reach them all', () => {
    const random = seededRandom('bounds')
    const observe = new Set(Array.from({ length: 1000 }, () => random.below(6)))
    expect([...observe].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5])
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(random.hex(13)).toMatch(/^[0-9a-f]{13}$/)
    expect(seededRandom('none').percent(0)).toBe(false)
    expect(seededRandom('all').percent(100)).toBe(true)
  })
})

test.each([[1], [61 * 61], [2 ** 12], [36 ** 2]])('scattered over %i repeats nothing', (size) => {
  const numbers = Array.from({ length: size }, (_, i) => permuted(i, size))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i))
})
