import { expect, test } from 'vitest'
import { bounded } from './run-store.ts'

test.each([
  ['short', 'short'],
  [undefined, null],
  ['a'.repeat(4_100), `"${'a'.repeat(4_095)}…`],
  [`${'a'.repeat(4_094)}😀`, `"${'a'.repeat(4_094)}…`],
])('what a step logs is cut between characters', (value, logged) => {
  expect(JSON.parse(bounded(value))).toBe(logged)
})
