import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SectionReader } from './script-output.ts'

const MARK = '=0f0f='
const limits = { section: () => 1_000, total: 2_000 }

function read(text: string | Buffer, chunk = Number.POSITIVE_INFINITY): SectionReader {
  const reader = new SectionReader(MARK, ['one', 'two', 'three'], limits)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunk) reader.feed(bytes.subarray(at, at + chunk))
  return reader
}

const said = (name: string, text: string, code = 0): string =>
  `\n${MARK} ${name} begin\n${text}\n${MARK} ${name} end ${code}\n`

test('takes sections apart, wherever packets end', () => {
  const text = `welcome\n${said('one', 'first\nsecond')}noise${said('two', '', 3)}`
  const expected = new Map([
    ['one', { text: 'first\nsecond', isCut: false, code: 0 }],
    ['two', { text: '', isCut: false, code: 3 }],
  ])
  for (let chunk = 1; chunk < 20; chunk++) expect(read(text, chunk).sections()).toEqual(expected)
})

test('one whose end is missing has no code', () => {
  expect(read(`${MARK} one begin\nhalf a li`).sections()).toEqual(
    new Map([['one', { text: '', isCut: false }]]),
  )
  const reader = read(`${MARK} one begin\nwhole line\n`)
  expect(reader.openName).toBe('one')
  expect(reader.sections().get('one')).toEqual({ text: 'whole line\n', isCut: false })
})

test('neither a second beginning, nor a strange name, nor the end of another counts', () => {
  const inner = `${MARK} two end 0\n${MARK} four begin\n${MARK} one begin\n${MARK} one end`
  const sections = read(said('one', inner) + said('one', 'again')).sections()
  expect([...sections.keys()]).toEqual(['one'])
  expect(sections.get('one')?.text).toBe(inner)
})

test('stores no more than allowed, and notes that it was cut', () => {
  const sections = read(
    said('one', 'x'.repeat(5_000)) + said('two', 'y\n'.repeat(5_000)) + said('three', 'z'),
  ).sections()
  expect(sections.get('one')?.text.length).toBe(1_000)
  expect(sections.get('two')?.text.length).toBe(999) // its last line break might be ours
  expect([...sections.values()].map(({ isCut }) => isCut)).toEqual([true, true, true])
})

test('what was thrown away since the last marker is counted', () => {
  expect(read('noise'.repeat(10_000)).wasted).toBeGreaterThan(40_000)
  expect(read(`${'noise'.repeat(10_000)}\n${said('one', '')}`).wasted).toBeLessThan(10)
})

test('any bytes are read without harm, in any packets', () => {
  const piece = fc.oneof(
    fc.uint8Array(),
    fc
      .constantFrom(
        `${MARK} one begin\n`,
        `${MARK} one end 0\n`,
        `${MARK} two begin\n`,
        `\n${MARK}`,
        '\0',
        '\r\n',
      )
      .map((it) => Buffer.from(it)),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 50 }), (pieces, chunk) => {
      for (const { text } of read(Buffer.concat(pieces), chunk).sections().values()) {
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toContain('\0')
      }
    }),
  )
})
