import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, schemes } from './compare.ts'

const piece = fc.constantFrom(
  ...'0 1 2 10 007 . . - _ + ~ ^ : a b rc alpha dev post p SNAPSHOT final sp x -r1 _p1 # ! é \0 1: -'.split(
    ' ',
  ),
  ' ',
)
const version = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''))

describe.each(schemes)('the order of %s', (scheme) => {
  test('does not depend on who stands first, and everything equals itself', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const [forth, back] = [compareVersions(scheme, a, b), compareVersions(scheme, b, a)]
        expect(forth === undefined ? undefined : forth + (back ?? Number.NaN)).toBe(
          forth === undefined ? back : 0,
        )
        expect([0, undefined]).toContain(compareVersions(scheme, a, a))
      }),
      { numRuns: 300 },
    )
  })
})

/** Plain versions, such as every scheme has: those of the wild are ordered without a ring. */
const plain = fc
  .tuple(
    fc.array(fc.constantFrom('0', '1', '2', '10'), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '', '-1', '-2', '-rc1', '-alpha.2', 'a', '-beta', '+x'),
  )
  .map(([numbers, tail]) => `${numbers.join('.')}${tail}`)

describe.each(schemes)('the order of %s', (scheme) => {
  test('has no ring', () => {
    expect.hasAssertions()
    fc.assert(
      fc.property(plain, plain, plain, (a, b, c) => {
        // without a release a version of pacman equals all releases of it, which is no order
        const [one, two, three] = scheme === 'pacman' ? [`${a}-1`, `${b}-1`, `${c}-1`] : [a, b, c]
        const [ab, bc, ac] = [
          compareVersions(scheme, one, two),
          compareVersions(scheme, two, three),
          compareVersions(scheme, one, three),
        ]
        const isRising = ab !== undefined && bc !== undefined && ab <= 0 && bc <= 0
        const isInOrder = ac !== undefined && (ac < 0 || (ac === 0 && ab === 0 && bc === 0))
        expect(!isRising || isInOrder).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

/** A comparison that took quadratic time would not end within the test's time. */
describe.each(schemes)('hostile versions of %s', (scheme) => {
  const long = (part: string): string => part.repeat(100_000 / part.length)
  test.each([
    ['1'],
    ['a'],
    ['1.'],
    ['0.'],
    ['-'],
    ['1a'],
    ['_p1'],
    ['~'],
    ['\0'],
    ['é'],
    [':'],
    ['-r1'],
    ['0-'],
    ['.a1'],
  ])('end: %j', (part) => {
    const [a, b] = [`1${long(part)}`.slice(0, 100_000), `1${long(part)}`.slice(0, 99_999)]
    for (let round = 0; round < 5; round++) compareVersions(scheme, a, b)
    expect([0, undefined]).toContain(compareVersions(scheme, a, a))
    expect(compareVersions(scheme, `${a}1`, b)).toBeUndefined()
  })
})
