import { readFileSync } from 'node:fs'
import { firstAtLeast } from '#platform/first-at-least.ts'
import { once } from '#platform/once.ts'

/**
 * Who a MAC address was assigned to, by the registries of the IEEE: blocks of 24, 28 and 36 bits, the narrowest one
 * holding the address decides. Empty: nobody, or a registrant who is not public. `digits` are twelve, upper case.
 */
export function registrantOf(digits: string): string {
  const { bytes, lines, blocks } = table()
  for (const { length, entries } of blocks) {
    const line = lines[lineOf(entries, Number.parseInt(digits.slice(0, length), 16))]
    if (line !== undefined) return bytes.toString('utf8', line, bytes.indexOf(TAB, line))
  }
  return ''
}

/** All who have a block, by the number of their line. */
export function registrants(): { readonly count: number; readonly nameAt: (line: number) => string } {
  const { bytes, lines } = table()
  return {
    count: lines.length,
    nameAt: (line) => bytes.toString('utf8', lines[line], bytes.indexOf(TAB, lines[line])),
  }
}

const TAB = 0x09
const NEWLINE = 0x0a
/** A prefix of 36 bits and the number of its line fit a double together. */
const LINES_MAX = 2 ** 17

interface Table {
  readonly bytes: Buffer
  /** Where each line begins. */
  readonly lines: readonly number[]
  /** The narrowest first. */
  readonly blocks: readonly Blocks[]
}

/** Prefixes of so many digits, sorted: each times LINES_MAX, plus the number of its line. */
interface Blocks {
  readonly length: number
  readonly entries: Float64Array
}

/** Each line: the registrant, a tab, its prefixes of 6, 7 or 9 digits. `scripts/oui-table.ts` makes the file. */
const table = once((): Table => {
  const bytes = readFileSync(new URL('../data/oui.tsv', import.meta.url))
  const lines: number[] = []
  const found = new Map<number, number[]>([9, 7, 6].map((length) => [length, []]))
  for (let line = 0; line < bytes.length; line = bytes.indexOf(NEWLINE, line) + 1) {
    const end = bytes.indexOf(NEWLINE, line)
    for (let at = bytes.indexOf(TAB, line) + 1; at < end;) {
      const { value, count } = digitsAt(bytes, at)
      found.get(count)?.push(value * LINES_MAX + lines.length)
      at += count + 1
    }
    lines.push(line)
  }
  if (lines.length > LINES_MAX) throw new Error(`oui.tsv has more than ${LINES_MAX} lines`)
  const blocks = [...found].map(([length, entries]) => ({
    length,
    entries: Float64Array.from(entries).sort(),
  }))
  return { bytes, lines, blocks }
})

/** The upper-case hexadecimal number that begins here. */
function digitsAt(bytes: Buffer, start: number): { readonly value: number; readonly count: number } {
  let value = 0
  let at = start
  for (; bytes[at]! >= 0x30; at++)
    value = value * 16 + (bytes[at]! <= 0x39 ? bytes[at]! - 0x30 : bytes[at]! - 0x37)
  return { value, count: at - start }
}

/** The number of the line that has the prefix, or -1. */
function lineOf(entries: Float64Array, prefix: number): number {
  const entry = entries[firstAtLeast(entries, prefix * LINES_MAX)]
  return entry !== undefined && Math.floor(entry / LINES_MAX) === prefix ? entry % LINES_MAX : -1
}
