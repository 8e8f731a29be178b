import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { confidenceOf, type Measured } from './confidence.ts'

const table = JSON.parse(readFileSync(new URL('data/confidence.json', import.meta.url), 'utf8')) as Measured[]

test('a lone voice is high only where it was right in more than 99 of a hundred', () => {
  const high = table.filter(({ confidence }) => confidence >= 0.8)
  expect(high.length).toBeGreaterThan(0)
  for (const { voice, asked, right } of high) {
    expect(voice).toBe('device')
    expect(right / asked).toBeGreaterThan(0.99)
  }
})

test('what a maker mostly makes is a guess, and what people call a thing is never high', () => {
  expect(confidenceOf('maker', 'http')).toBeLessThanOrEqual(0.6)
  expect(confidenceOf('noun', 'title')).toBeLessThanOrEqual(0.6)
  expect(confidenceOf('line', 'hint')).toBeLessThanOrEqual(0.7)
})
