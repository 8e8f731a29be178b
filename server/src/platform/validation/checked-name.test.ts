import { expect, test } from 'vitest'
import { checkedName } from './checked-name.ts'
import { Refusal } from '../errors.ts'

test.each([' Büro ', 'a', '北京', 'x'.repeat(10), '😀'.repeat(10), 'it’s 👩‍💻'])(
  '%j is a name, without blanks around it',
  (text) => {
    expect(checkedName('name', text, 10)).toBe(text.trim())
  },
)

test.each([
  '',
  ' ',
  'x'.repeat(11),
  '😀'.repeat(11),
  'a\0b',
  'a\nb',
  'a\u001b[31mb',
  'a\u007f',
  'a\u0085b',
  'a\ud800',
])('%j is refused, naming the field', (text) => {
  const act = () => checkedName('name', text, 10)
  expect(act).toThrow(Refusal)
  expect(act).toThrow(/^name: /)
})
