import { expect, test } from 'vitest'
import { decimal, plus, rounded, shareOf, textOf, times } from './decimal.ts'

test.each(['0', '7', '-3', '9100.50', '-0.05', '0.001', '12345678901234567890.123'])(
  '%s is read and written as it is',
  (text) => expect(textOf(decimal(text))).toBe(text),
)

test.each(['', '.5', '5.', '1,5', '+1', '1e3', ' 1', '1 ', '--1'])('"%s" is no number', (text) =>
  expect(() => decimal(text)).toThrow(`not a decimal number: ${text}`),
)

test.each([
  ['1', '1.005'],
  ['1.5', '1.505'],
  ['-2.5', '-2.495'],
])('%s plus 0.005, whichever comes first', (text, sum) => {
  expect(textOf(plus(decimal(text), decimal('0.005')))).toBe(sum)
  expect(textOf(plus(decimal('0.005'), decimal(text)))).toBe(sum)
})

test('a product keeps every place', () =>
  expect(textOf(times(decimal('8200.10'), decimal('-0.95')))).toBe('-7790.0950'))

test.each([
  ['3', '3.00'],
  ['3.1', '3.10'],
  ['3.14', '3.14'],
  ['3.144', '3.14'],
  ['3.146', '3.15'],
  ['3.145', '3.14'],
  ['3.155', '3.16'],
  ['3.1451', '3.15'],
  ['-3.145', '-3.14'],
  ['-3.155', '-3.16'],
  ['0.999', '1.00'],
])('%s is rounded to %s', (text, wanted) => expect(textOf(rounded(decimal(text)))).toBe(wanted))

test.each([
  ['10.00', 4n, '2.50'],
  ['10.00', 3n, '3.33'],
  ['0.05', 2n, '0.02'],
  ['0.07', 2n, '0.04'],
  ['-20.00', 3n, '-6.67'],
])('of %s, one of %s parts is %s', (text, parts, wanted) =>
  expect(textOf(shareOf(decimal(text), parts))).toBe(wanted),
)
