import { expect, test } from 'vitest'
import { conditionWith, contextOf, isCondition, readFault, withDraft } from './draft.ts'

const names = new Set(['os', 'seen', 'tag', 'finding', 'asset.os', 'serial'])

test.each([
  'os:win',
  'os = x',
  'nothing > 3',
  'has serial',
  'not has os',
  'no finding',
  '"two words',
  '(os',
  'asset.os:x',
  'web os in (a',
  'OR tag = x',
])('is a condition: %s', (text) => expect(isCondition(text, names)).toBe(true))
test.each([
  '',
  'os',
  'web-1',
  'env:prod',
  '00:11:22:33:44:55',
  'fe80::1',
  '10.0.0.0/8',
  'no printer',
  'any',
  'windows or linux',
  'in',
])('is words to search for: %s', (text) => expect(isCondition(text, names)).toBe(false))

test('what was typed becomes terms', () => {
  expect(withDraft(['a = 1'], 'b = 2 and c = 3')).toEqual(['a = 1', 'b = 2', 'c = 3'])
  expect(withDraft(['a = 1', 'b = 2', 'c = 3'], 'x = 9', 1)).toEqual(['a = 1', 'x = 9', 'c = 3'])
  expect(withDraft([], 'any finding(kev = yes')).toEqual(['any finding(kev = yes)'])
  expect(withDraft(['a = 1', 'b = 2'], 'or c = 3')).toEqual(['a = 1', '(b = 2 or c = 3)'])
  expect(withDraft(['(b = 2 or c = 3)'], 'or d = 4')).toEqual(['(b = 2 or c = 3 or d = 4)'])
  expect(withDraft([], 'or d = 4')).toEqual(['d = 4'])
  expect(conditionWith(['a = 1'], 'b = 2 or c = 3')).toBe('a = 1 and (b = 2 or c = 3)')
})

test('an alternative is asked about behind the last term', () => {
  expect(contextOf(['a = 1', 'b = 2'], 'or ')).toBe('b = 2 ')
  expect(contextOf(['a = 1'], 'oracle')).toBe('')
})

test('a fault says what and where', () => {
  expect(readFault('where: os takes = != :, not > (at character 4)')).toEqual({
    message: 'os takes = != :, not >',
    position: 3,
  })
  expect(readFault('something else')).toEqual({ message: 'something else', position: undefined })
})
