import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modelAt, numberAfter } from './model-numbers.ts'

test.each([
  ['DS-2CD2042WD-I', 'DS-2CD2042WD-I'],
  ['C9300-48P, Version', 'C9300-48P'],
  ['FS-C2026MFP+ FTP server', 'FS-C2026MFP+'],
  ['TL-WR841N/8.0', 'TL-WR841N'],
  ['C7200-ADVENTERPRISEK9-M), Version', 'C7200'],
  ['R5.13.0', undefined],
  ['WA0532110212345', undefined],
  ['zte', undefined],
])('the model at the start of "%s" is %s', (text, model) => {
  expect(modelAt(text, 0)).toBe(model)
})

test.each([
  [' 4250', '4250'],
  [' Pro MFP M477fdw;', 'Pro MFP M477fdw'],
  [' version 3', ''],
  [' 6.3.1', ''],
  ['; 4250', ''],
  [' one two three 4', ''],
  ['', ''],
])('after the line comes "%s": %s', (text, number) => {
  expect(numberAfter(text, 0)).toBe(number)
})

test('property: what is read stands in the text, and is short', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(20), (text, at) => {
      for (const model of [modelAt(text, at) ?? '', numberAfter(text, at)]) {
        expect(text).toContain(model)
        expect(model.length).toBeLessThan(110)
      }
    }),
  )
})
