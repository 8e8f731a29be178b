import { afterEach, expect, test } from 'vitest'
import { setFormats } from './formats.ts'
import { amount } from './numbers.ts'

const usual = { timeZone: null, dateFormat: null, numberFormat: null }
afterEach(() => setFormats(usual))

test.each([
  ['48000.00', '48,000.00'],
  ['0.10', '0.10'],
  ['1299', '1,299'],
  ['-1299.5', '-1,299.5'],
  ['9007199254740993.01', '9,007,199,254,740,993.01'],
  ['unknown', 'unknown'],
])('the amount %s is shown as %s', (written, shown) => {
  expect(amount(written)).toBe(shown)
})
