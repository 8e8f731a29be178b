import { expect, test } from 'vitest'
import { readControlSearch, statusesOf } from './control-search-params.ts'

test.each([
  ['fail', ['fail']],
  ['not_assessed', ['not_assessed']],
  ['nonsense', ['fail', 'warning', 'pass', 'not_applicable']],
  [undefined, ['fail', 'warning', 'pass', 'not_applicable']],
])('controls of the status %j', (controls, expected) => {
  expect(statusesOf(readControlSearch({ controls }))).toEqual(expected)
})
