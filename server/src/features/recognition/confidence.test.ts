import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bases } from './basis.ts'
import { confidenceOf, kindOf, statedBy, type Measured } from './confidence.ts'
import { textSources } from './signals.ts'

const table = JSON.parse(readFileSync(new URL('data/confidence.json', import.meta.url), 'utf8')) as Measured[]

test('a lone voice is high only where it was right in more than 99 of a hundred', () => {
  const high = table.filter(({ confidence }) => confidence >= 0.8)
  expect(high.length).toBeGreaterThan(0)
  for (const { basis, voice, asked, right } of high) {
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(voice).not.toBe('people')
    expect(right / asked).toBeGreaterThan(basis === 'agreed' || basis === 'confirmed' ? 0.97 : 0.99)
  }
})

test('what a maker mostly makes is a guess, and what people call a thing is never high', () => {
  for (const source of textSources) {
    expect(confidenceOf('maker', source, 'printer')).toBeLessThanOrEqual(0.6)
    expect(confidenceOf('sole', source, 'printer')).toBeLessThan(0.8)
    expect(confidenceOf('family', source, 'printer')).toBeLessThan(0.8)
    expect(confidenceOf('maker', source, 'unknown')).toBeLessThan(0.8)
  }
  for (const basis of bases) expect(confidenceOf(basis, 'title', 'printer')).toBeLessThan(0.8)
  expect(confidenceOf('line', 'hint', 'printer')).toBeLessThanOrEqual(0.7)
})

test('a kind that nothing measured states what its basis is worth, and is never high', () => {
  const row = (basis: Measured['basis'], asked: number, confidence: number): Measured => ({
    basis,
    voice: 'description',
    asked,
    right: asked,
    confidence,
  })
  const stated = statedBy([row('line', 30, 0.97), row('named', 3, 0.2)])
  expect(stated(kindOf('line', 'snmp_sysdescr', 'printer'))).toBe(0.97)
  expect(stated(kindOf('line', 'http', 'printer'))).toBe(0.79)
  expect(stated(kindOf('named', 'http', undefined))).toBeCloseTo(0.2)
  expect(stated(kindOf('spoken', 'ipp', 'printer'))).toBe(0.5)
})
