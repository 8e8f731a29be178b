import { describe, expect, test } from 'vitest'
import { closeOpen, compareTerm, joinTerms, readCompared, splitTerms, withTerm } from './condition-terms.ts'
import { describeCondition, describeTerm } from './describe-term.ts'

const textsOf = (text: string) => splitTerms(text).map((it) => it.text)

describe('terms of a condition', () => {
  test.each([
    ['', []],
    ['os:windows and type=server and seen < -30d', ['os:windows', 'type=server', 'seen < -30d']],
    ['os:windows type=server', ['os:windows', 'type=server']],
    ['web "two words"', ['web', '"two words"']],
    ['not has serial and not not os = x', ['not has serial', 'not not os = x']],
    [
      'any finding(severity=critical or kev=yes) and tag = a',
      ['any finding(severity=critical or kev=yes)', 'tag = a'],
    ],
    ['count software(name:"a) b") > 3 os = x', ['count software(name:"a) b") > 3', 'os = x']],
    ['os in (a, "b c") and (x = 1 or y = 2)', ['os in (a, "b c")', '(x = 1 or y = 2)']],
    [
      'mac = 00:11:22:33:44:55 booted > 2026-03-31T12:00:00Z',
      ['mac = 00:11:22:33:44:55', 'booted > 2026-03-31T12:00:00Z'],
    ],
    ['00:11:22:33:44:55 tag = a', ['00:11:22:33:44:55', 'tag = a']],
  ])('%s', (text, terms) => expect(textsOf(text)).toEqual(terms))

  test.each(['a = 1 or b = 2', 'a = 1 and', 'os = ', '(a', 'any finding', 'tag = "open', ') x', 'and'])(
    'what has an outer "or", or cannot be read, is one: %s',
    (text) => expect(textsOf(text)).toEqual([text.trim()]),
  )

  test('each says where it stands', () => {
    const text = '  os:windows   and tag = a '
    for (const { text: it, from, to } of splitTerms(text)) expect(text.slice(from, to)).toBe(it)
  })
})

test('terms are joined so that they mean the same', () => {
  expect(joinTerms(['a = 1', ' ', 'b = 2 or c = 3'])).toBe('a = 1 and (b = 2 or c = 3)')
  expect(joinTerms(['b = 2 or c = 3'])).toBe('b = 2 or c = 3')
  expect(joinTerms([])).toBe('')
  expect(withTerm('a = 1 or b = 2', 'c = 3')).toBe('(a = 1 or b = 2) and c = 3')
  expect(withTerm('a = 1', 'a = 1')).toBe('a = 1')
})

test('values are quoted where they have to be, and read back', () => {
  for (const values of [['web'], ['two words'], ['a"b\\c', 'x:y', '(z)'], ['10.0.0.0/8']])
    expect(readCompared(compareTerm('tag', values))?.values).toEqual(values)
  expect(compareTerm('tag', [])).toBe('not has tag')
  expect(compareTerm('tag', ['a', 'b c'])).toBe('tag in (a, "b c")')
  expect(readCompared('has tag')).toBeUndefined()
  expect(readCompared('Tag != a')).toEqual({ field: 'tag', comparison: '!=', values: ['a'] })
})

test('what is open at the end is closed', () => {
  expect(closeOpen('any finding(severity = critical ')).toBe('any finding(severity = critical)')
  expect(closeOpen('tag = "a (b')).toBe('tag = "a (b"')
  expect(closeOpen('a = 1')).toBe('a = 1')
})

test.each([
  ['seen < -30d', 'seen before 30 days ago'],
  ['warranty_ends <= +1m', 'warranty_ends until in 1 month'],
  ['risk >= 70', 'risk at least 70'],
  ['os : windows', 'os contains windows'],
  ['os in (a, "b c")', 'os is one of a, b c'],
  ['not has serial', 'serial is not known'],
  ['has owner', 'owner is known'],
  ['any finding(severity=critical and kev = yes)', 'any finding with severity is critical and kev is yes'],
  ['count software(name:ssh) > 3', 'count software with name contains ssh > 3'],
  ['"two words"', '“two words”'],
  ['a = 1 or b = 2', 'a = 1 or b = 2'],
])('%s reads as %s', (term, words) => expect(describeCondition(term)).toBe(words))

test('a term has its parts', () => {
  expect(describeTerm('not tag = a')).toEqual({ field: 'not tag', comparison: 'is', value: 'a' })
})
