import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab😀', 4, 'ab😀'],
  ['ab😀', 3, 'ab'],
  ['😀😀', 3, '😀'],
  ['', 3, ''],
])('of %j, %i units are %j', (text, lengthMax, short) => {
  expect(shortened(text, lengthMax)).toBe(short)
})
