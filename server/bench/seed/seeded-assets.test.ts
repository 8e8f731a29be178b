import { expect, test } from 'vitest'
import { validateObservation } from '#features/assets/intake/observation-validation.ts'
import { hostnameOf, ipOf, observationOf, serialOf } from './seeded-assets.ts'

const numbers = Array.from({ length: 50_000 }, (_, at) => at * 101)

test.each([hostnameOf, ipOf, serialOf, (n: number) => observationOf(n).identifiers[2]?.value])(
  'no two things share a value',
  (valueOf) => expect(new Set(numbers.map(valueOf)).size).toBe(numbers.length),
)

test('every thing can be taken in', () => {
  expect(numbers.map((n) => validateObservation(observationOf(n), new Date())).find(Boolean)).toBeUndefined()
})
