import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each<[string, Buffer | string, string | undefined]>([
  ['UTF-8', Buffer.from('M\u00fcller \u6f22'), 'M\u00fcller \u6f22'],
  ['Latin-1', Buffer.from('M\u00fcller', 'latin1'), 'M\u00fcller'],
  ['lines and control characters', 'a\r\n\u001b[1mb\u0085  c\u0000', 'a [1mb c'],
  ['what could not be decoded', 'a\ufffdb', 'a b'],
  ['half of a surrogate pair', 'a\ud800', 'a\ufffd'],
  ['nothing but blanks', ' \t\n ', undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('%s is one line', (_, given, line) => {
  expect(plainText(given)).toBe(line)
})

test.each([
  [300, undefined],
  [12, 12],
])('of a long text the first %i characters are left', (most, given) => {
  const text = 'x'.repeat(most)
  expect(plainText(text, given)).toBe(text)
  expect(plainText(`${text}y`, given)).toBe(text)
  // blanks and control characters do not count, up to four times the length
  expect(plainText(`${'\n'.repeat(3 * most)}${text}`, given)).toBe(text)
})
