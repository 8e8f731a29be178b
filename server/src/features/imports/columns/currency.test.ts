import { expect, test } from 'vitest'
import { checkedCurrency } from './currency.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['EUR', 'EUR'],
  ['usd', 'USD'],
])('%j is %j', (text, expected) => {
  expect(checkedCurrency(text)).toBe(expected)
})

test.each(['EURO', 'E1R', ' EUR', '€'])('%j is no currency', (text) => {
  expect(() => checkedCurrency(text)).toThrow('currency')
})
