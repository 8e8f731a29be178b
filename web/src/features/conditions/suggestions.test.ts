import { expect, test } from 'vitest'
import { complete, stillFitting, withClosing, type Suggestion } from './suggestions.ts'

const field = (text: string): Suggestion => ({ kind: 'field', text, detail: '' })
const value = (text: string): Suggestion => ({ kind: 'value', text, detail: '1' })

test('while the next answer is awaited, the last one narrows', () => {
  const answered = { asked: 'o', from: 0, suggestions: [field('os'), field('owner')] }
  expect(stillFitting(answered, 'os').map((it) => it.text)).toEqual(['os'])
  expect(stillFitting(answered, 'os = ')).toEqual([])
  const values = { asked: 'os = ', from: 5, suggestions: [value('"Windows 11"'), value('Debian')] }
  expect(stillFitting(values, 'os = 11').map((it) => it.text)).toEqual(['"Windows 11"'])
  expect(stillFitting(values, 'tag = 11')).toEqual([])
})

test('where nothing is typed the usual questions come first', () => {
  const answered = { asked: '', from: 0, suggestions: [field('bios'), field('tag'), field('os')] }
  expect(stillFitting(answered, '').map((it) => it.text)).toEqual(['os', 'tag', 'bios'])
})

test.each([
  ['os', 0, field('os'), 'os ', false],
  ['os ', 3, { kind: 'comparison', text: ':', detail: '' }, 'os : ', false],
  ['os ', 3, { kind: 'comparison', text: 'in', detail: '' }, 'os in (', false],
  ['os : win', 5, value('"Windows 11"'), 'os : "Windows 11"', true],
  ['has se', 4, field('serial'), 'has serial', true],
  ['an', 0, { kind: 'collection', text: 'any finding', detail: '' }, 'any finding(', false],
  ['any finding(severity = ', 23, value('critical'), 'any finding(severity = critical ', false],
  [
    'any finding(severity = critical ',
    32,
    { kind: 'keyword', text: ')', detail: '' },
    'any finding(severity = critical)',
    true,
  ],
] as const)('%s completed', (...[draft, from, suggestion, text, isWhole]) => {
  expect(complete(draft, { from, cursor: draft.length }, suggestion)).toEqual({
    text,
    cursor: text.length,
    isWhole,
  })
})

test('inside of parentheses they can be closed', () => {
  const and: Suggestion = { kind: 'keyword', text: 'and', detail: '' }
  expect(withClosing([and], 'any finding(kev = yes ').map((it) => it.text)).toEqual([')', 'and'])
  expect(withClosing([and], 'kev = yes ')).toEqual([and])
})
