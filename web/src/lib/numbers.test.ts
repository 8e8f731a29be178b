import { afterEach, expect, test } from 'vitest'
import { setFormats } from './formats.ts'
import { amount, percentTo } from './numbers.ts'

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

test.each([
  [null, '0.94%', '<0.1%'],
  ['dot_comma', '0,94\u00a0%', '<0,1\u00a0%'],
] as const)('shares with places by %s', (numberFormat, shown, least) => {
  setFormats({ ...usual, numberFormat })
  expect(percentTo(0.0094, 2)).toBe(shown)
  expect(`<${percentTo(0.001, 1)}`).toBe(least)
})
