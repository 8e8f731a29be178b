import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bases } from './basis.ts'
import { confidenceOf, type Measured } from './confidence.ts'
import { textSources } from './signals.ts'

const table = JSON.parse(readFileSync(new URL('data/confidence.json', import.meta.url), 'utf8')) as Measured[]

test('a lone voice is high only where it was right in more than 99 of a hundred', () => {
  const high = table.filter(({ confidence }) => confidence >= 0.8)
  expect(high.length).toBeGreaterThan(0)
  for (const { voice, asked, right } of high) {
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(voice).not.toBe('people')
    expect(right / asked).toBeGreaterThan(0.99)
  }
})

test('what a maker mostly makes is a guess, and what people call a thing is never high', () => {
  for (const source of textSources) {
    expect(confidenceOf('maker', source, 'printer')).toBeLessThanOrEqual(0.6)
    expect(confidenceOf('sole', source, 'printer')).toBeLessThan(0.8)
  }
  for (const basis of bases) expect(confidenceOf(basis, 'title', 'printer')).toBeLessThan(0.8)
  expect(confidenceOf('line', 'hint', 'printer')).toBeLessThanOrEqual(0.7)
})

test('of a kind that nothing measured no more is stated than of the least sure of its basis', () => {
  const [kind] = table.filter(({ basis }) => basis === 'spoken')
  expect(confidenceOf('spoken', 'http', 'unknown')).toBe(kind?.confidence)
})
