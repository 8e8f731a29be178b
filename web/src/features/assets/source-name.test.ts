import { expect, test } from 'vitest'
import { sourceName } from './source-name.ts'

test.each([
  ['sweep Network sweep', 'Network sweep'],
  ['csv', 'csv'],
  ['csv ', 'csv '],
  ['', ''],
])('%j is called %j', (source, name) => {
  expect(sourceName(source)).toBe(name)
})
