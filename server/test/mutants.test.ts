import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { mutantsOf } from '../../scripts/mutate/mutants.mjs'

const mutated = (text: string): string[] =>
  mutantsOf(text, parseAst(text, { lang: 'ts' })).map(
    ({ start, end, becomes }) => text.slice(0, start) + becomes + text.slice(end),
  )

test.each([
  ['const a: 1 | 2 = b < c', ['const a: 1 | 2 = b <= c']],
  ['const a = (b) && c', ['const a = (b) || c']],
  ["const a = b + 'text'", []],
  ['if (a) b()', ['if (!(a)) b()', 'if (a) ;']],
  [
    'const a = b ? true : 2',
    ['const a = !(b) ? true : 2', 'const a = b ? false : 2', 'const a = b ? true : (2 + 1)'],
  ],
  ['await a.b(c)', [';']],
  [
    'const a = sql`select b where c is null and d < 2`',
    [
      'const a = sql`select b where c is null or d < 2`',
      'const a = sql`select b where c is not null and d < 2`',
      'const a = sql`select b where c is null and d <= 2`',
    ],
  ],
  ['const a = other`x and y`', []],
  [
    'const a = `[ -r $f ] && cat $f 2>/dev/null`',
    [
      'const a = `[ -r $f ] || cat $f 2>/dev/null`',
      'const a = `[ ! -r $f ] && cat $f 2>/dev/null`',
      'const a = `[ -r $f ] && cat $f`',
    ],
  ],
  ['const a = `of this && that`', []],
])('of %s', (text, expected) => {
  expect(mutated(text)).toEqual(expected)
})
