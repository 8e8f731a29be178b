import fc from 'fast-check'
import { expect, test } from 'vitest'
import { waitAfter } from './backoff.ts'

const BASES = [2, 4, 8, 16, 32, 64, 128, 256, 512]

test('the nine waits double from two seconds', () => {
  expect(BASES.map((_, i) => waitAfter(i + 1, 0))).toEqual(BASES)
})

test('jitter adds up to a quarter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (n, u) => {
        const base = BASES[n - 1] ?? 0
        const wait = waitAfter(n, u) ?? 0
        expect(wait).toBeGreaterThanOrEqual(base)
        expect(wait).toBeLessThanOrEqual(base * 1.25)
      },
    ),
  )
})

test.each([10, 11])('after attempt %i there is none', (n) => {
  expect(waitAfter(n, 0)).toBeUndefined()
})
