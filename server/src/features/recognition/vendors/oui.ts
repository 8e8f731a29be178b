import { readFileSync } from 'node:fs'

/**
 * Who a MAC address was assigned to, by the registries of the IEEE: blocks of 24, 28 and 36 bits, the narrowest one
 * holding the address decides. Empty: nobody, or a registrant who is not public. `digits` are twelve, upper case.
 */
export function registrantOf(digits: string): string {
  for (const { length, prefixes, lines } of blocks) {
    const at = search(prefixes, Number.parseInt(digits.slice(0, length), 16))
    if (at >= 0) return table.toString('utf8', lines[at]!, table.indexOf(TAB, lines[at]))
  }
  return ''
}

const TAB = 0x09
const NEWLINE = 0x0a

/** Prefixes of so many digits, sorted, and beside each the place in the table where its line begins. */
interface Blocks {
  readonly length: number
  readonly prefixes: Float64Array
  readonly lines: Uint32Array
}

/** Each line: the registrant, a tab, its prefixes of 6, 7 or 9 digits. `scripts/oui-table.ts` makes the file. */
const table = readFileSync(new URL('../data/oui.tsv', import.meta.url))
const blocks: readonly Blocks[] = readBlocks()

/** The narrowest blocks first. */
function readBlocks(): Blocks[] {
  const found = new Map<number, [prefix: number, line: number][]>([9, 7, 6].map((length) => [length, []]))
  for (let line = 0; line < table.length; line = table.indexOf(NEWLINE, line) + 1) {
    const end = table.indexOf(NEWLINE, line)
    for (let at = table.indexOf(TAB, line) + 1; at < end;) {
      const { value, count } = digitsAt(at)
      found.get(count)?.push([value, line])
      at += count + 1
    }
  }
  return [...found].map(([length, entries]) => {
    entries.sort(([a], [b]) => a - b)
    return {
      length,
      prefixes: Float64Array.from(entries, ([prefix]) => prefix),
      lines: Uint32Array.from(entries, ([, line]) => line),
    }
  })
}

/** The upper-case hexadecimal number that begins here. */
function digitsAt(start: number): { readonly value: number; readonly count: number } {
  let value = 0
  let at = start
  for (; table[at]! >= 0x30; at++)
    value = value * 16 + (table[at]! <= 0x39 ? table[at]! - 0x30 : table[at]! - 0x37)
  return { value, count: at - start }
}

/** The place of `wanted`, or -1. */
function search(sorted: Float64Array, wanted: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = sorted[middle]!
    if (found === wanted) return middle
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}
