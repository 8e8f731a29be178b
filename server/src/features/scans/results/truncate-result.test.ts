import { expect, test } from 'vitest'
import { truncateResult } from './truncate-result.ts'

test('what fits stays as it is, without what a database cannot keep', () => {
  expect(truncateResult({ a: 'x\u0000y', at: new Date(0), gone: undefined }, 100)).toEqual({
    value: { a: 'xy', at: '1970-01-01T00:00:00.000Z' },
    isCut: false,
  })
})

test('long lists lose their ends', () => {
  const { value, isCut } = truncateResult({ items: Array.from({ length: 10_000 }, (_, n) => n) }, 1_000)
  expect(isCut).toBe(true)
  expect(value).toEqual({ items: Array.from({ length: 100 }, (_, n) => n) })
})

test('a text alone has no names, and one is not cut within a character, which a database refuses', () => {
  expect(truncateResult('x'.repeat(5_000), 1_000)).toEqual({ value: {}, isCut: true })
  const texts = { text: `${'x'.repeat(1_999)}💡`, more: 'x'.repeat(3_000) }
  const { value } = truncateResult(texts, 4_500)
  expect(value).toEqual({ text: `${'x'.repeat(1_999)}\ufffd`, more: 'x'.repeat(2_000) })
  const name = `${'n'.repeat(99)}💡`
  expect(truncateResult({ [name]: texts }, 100).value).toEqual({ [`${'n'.repeat(99)}\ufffd`]: '…' })
})

test.each([
  ['one text', { text: 'x'.repeat(1_000_000) }],
  ['many names', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`name${n}`, 'x'.repeat(100)]))],
  ['depth', JSON.parse(`${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`) as unknown],
])('whatever it is, it is made to fit: %s', (_, value) => {
  const { value: short } = truncateResult(value, 4_000)
  expect(JSON.stringify(short).length).toBeLessThanOrEqual(16_000)
})
