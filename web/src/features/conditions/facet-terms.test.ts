import { expect, test } from 'vitest'
import { chosenOf, toggleChoice, withoutChoice } from './facet-terms.ts'

test.each([
  ['', 'os', 'Windows 11', 'os = "Windows 11"'],
  ['tag = a', 'os', 'x', 'tag = a and os = x'],
  ['os = x and tag = a', 'os', 'y', 'tag = a and os in (x, y)'],
  ['os in (x, y) and tag = a', 'os', 'X', 'tag = a and os = y'],
  ['os = x', 'os', 'x', ''],
  ['os = x', 'os', null, 'not has os'],
  ['not  has os', 'os', null, ''],
  ['not has os', 'os', 'x', 'os = x'],
  ['a = 1 or b = 2', 'os', 'x', '(a = 1 or b = 2) and os = x'],
  ['os:win', 'os', 'x', 'os:win and os = x'],
] as const)('%s, %s %s', (where, field, value, next) => {
  expect(toggleChoice(where, field, value)).toBe(next)
})

test('what is chosen is read from the condition', () => {
  expect(chosenOf('os in (x, y) and tag = a', 'os')).toEqual({ values: ['x', 'y'], isUnknown: false })
  expect(chosenOf('not has os', 'os')).toEqual({ values: [], isUnknown: true })
  expect(chosenOf('os != x', 'os')).toEqual({ values: [], isUnknown: false })
  expect(withoutChoice('os = x and os:y', 'os')).toBe('os:y')
})
