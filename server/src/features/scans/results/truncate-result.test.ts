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

test.each([
  ['one text', { text: 'x'.repeat(1_000_000) }],
  ['many names', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`name${n}`, 'x'.repeat(100)]))],
  ['depth', JSON.parse(`${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`) as unknown],
])('whatever it is, it is made to fit: %s', (_, value) => {
  const { value: short } = truncateResult(value, 4_000)
  expect(JSON.stringify(short).length).toBeLessThanOrEqual(16_000)
})
