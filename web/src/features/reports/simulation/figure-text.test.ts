import { expect, test } from 'vitest'
import { figureText } from './figure-text.ts'

test.each([
  [null, false, 'not known'],
  ['0', true, '0'],
  ['0.00', true, '0.00'],
  ['1234567.50', false, '1,234,567.50'],
  ['-1200', true, '−1,200'],
  ['12', true, '+12'],
])('%j is written %j: %s', (decimal, isSigned, text) => {
  expect(figureText(decimal, { isSigned })).toBe(text)
})
