import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRow, unguarded } from './csv.ts'

test.each([
  [['a', 'b'], 'a,b\r\n'],
  [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@a', '\tx'], "'=1+1,'+1,'-1,'@a,'\tx\r\n"],
  [['\rx'], '"\'\rx"\r\n'],
  [['="a","b"'], '"\'=""a"",""b"""\r\n'],
  [[0, 7.5, -3], "0,7.5,'-3\r\n"],
  [['a=b', ' =1', "'quoted'"], "a=b, =1,'quoted'\r\n"],
  [['', ''], ',\r\n'],
  [[''], '""\r\n'],
  [[], '\r\n'],
])('csvRow(%j)', (cells, line) => {
  expect(csvRow(cells)).toBe(line)
})

test('what a standard reader reads back, without the guard, is what was written', () => {
  const cell = fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ',', '"', 'a', 'é', ' '),
  })
  // An apostrophe of its own before a formula sign is the one text that cannot come back.
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1 })
  fc.assert(
    fc.property(rows, (rows) => {
      const read: string[][] = parse(rows.map(csvRow).join(''), { record_delimiter: '\r\n' })
      expect(read.map((row) => row.map(unguarded))).toEqual(rows)
    }),
  )
})

test('no written cell begins like a formula', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(csvRow([text, 'x'])).not.toMatch(/^"?[=+\-@\t\r]/)
    }),
  )
})
