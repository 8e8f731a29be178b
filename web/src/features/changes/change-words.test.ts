import { expect, test } from 'vitest'
import { fieldName, summaryOf, valueText } from './change-words.ts'

test('what changed on an asset in one line, what matters most first', () => {
  expect(
    summaryOf({
      counts: [
        { kind: 'field_changed', count: 3 },
        { kind: 'software_installed', count: 1 },
        { kind: 'asset_appeared', count: 1 },
      ],
      fields: ['os', 'tag'],
    }),
  ).toBe('Appeared · 1 program installed · 3 values: operating system, tags')
  expect(summaryOf({ counts: [{ kind: 'field_changed', count: 4 }], fields: ['a', 'b', 'c', 'd'] })).toBe(
    '4 values',
  )
})

test.each([
  [null, null],
  ['', null],
  [[], null],
  [['a', 'b'], 'a, b'],
  [false, 'false'],
  [0, '0'],
  [{ a: 1 }, '{"a":1}'],
])('the value %j is written %j', (value, text) => {
  expect(valueText(value)).toBe(text)
})

test('fields are named in words, custom ones as people named them', () => {
  expect(['cost_centre', 'custom_field:Rack unit', 'mac'].map(fieldName)).toEqual([
    'cost centre',
    'Rack unit',
    'MAC address',
  ])
})
