import type { Attributes } from '../attributes/source-precedence.ts'

/**
 * How texts and terms of searches are spelled, so that the index of trigrams, which are made of letters and digits
 * alone, knows punctuation too: `search_spelling` in the database.
 */
export function searchSpelling(text: string): string {
  return text.toLowerCase().replace(/[.\-:_]/g, (sign) => letters[sign] ?? sign)
}

const letters: Readonly<Record<string, string>> = { '.': 'Q', '-': 'Z', ':': 'X', _: 'J' }

/**
 * Hexadecimal digits of a MAC address as capitals that no other text has: part of a MAC address is found in MAC
 * addresses alone, however its digits are grouped.
 */
export function macSearchSpelling(mac: string): string {
  return mac
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .replace(/./g, (digit) => MAC_DIGITS[Number.parseInt(digit, 16)] ?? '')
}

const MAC_DIGITS = 'ABCDEFGHIKLMNOPR'

/** What the app's search looks at beside what the API's search does: one value a line. */
export function searchAttributesOf(
  { name, os, vendor, model }: Pick<Attributes, 'name' | 'os' | 'vendor' | 'model'>,
  tags: readonly string[],
  macs: readonly string[],
): string {
  const values = [name, os, [vendor, model].filter(Boolean).join(' '), ...tags]
  const lines = values.flatMap((value) => (value ? [searchSpelling(value)] : []))
  return [...new Set([...lines, ...macs.map(macSearchSpelling)])].join('\n')
}
