import { expect, test } from 'vitest'
import { hasControlCharacter, withoutControlCharacters } from './control-characters.ts'

test.each([
  ['web-1', false, 'web-1'],
  ['Łódź 東京 \u{1f600}', false, 'Łódź 東京 \u{1f600}'],
  ['a\u0000b', true, 'a b'],
  ['\u001b[2Jowned', true, '[2Jowned'],
  ['two\r\nlines\t', true, 'two lines'],
  ['\u007f', true, ''],
  ['c1\u009bm', true, 'c1 m'],
])('%j', (text, has, without) => {
  expect([hasControlCharacter(text), withoutControlCharacters(text)]).toEqual([has, without])
})
