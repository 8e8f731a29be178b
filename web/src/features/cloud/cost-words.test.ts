import { expect, test } from 'vitest'
import { money } from './cost-words.ts'

test('costs are written as other amounts of money are', () => {
  expect(money({ amount: '2177.04', currency: 'USD' })).toBe('2,177.04 USD')
  expect(money({ amount: '12345678901234567890.10', currency: 'EUR' })).toBe(
    '12,345,678,901,234,567,890.10 EUR',
  )
})
