import type { Attributes } from '../attributes/source-precedence.ts'

/**
 * Encodes a text for the trigram index, which ignores punctuation: signs become letters that no lower-case text has.
 * The same as `search_spelling` in the database.
 */
export function searchSpelling(text: string): string {
  return text.toLowerCase().replace(/[.\-:_]/g, (sign) => letters[sign] ?? sign)
}

const letters: Readonly<Record<string, string>> = { '.': 'Q', '-': 'Z', ':': 'X', _: 'J' }

/**
 * Encodes hexadecimal digits of a MAC address as capital letters that no other text has, so that part of a MAC
 * address matches only MAC addresses, whatever their separators.
 */
export function macSearchSpelling(mac: string): string {
  return mac
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .replace(/./g, (digit) => MAC_DIGITS[Number.parseInt(digit, 16)] ?? '')
}

const MAC_DIGITS = 'ABCDEFGHIKLMNOPR'

/** Values that only the app's search matches, one a line; the API's search matches `searchText`. */
export function searchAttributesOf(
  { name, os, vendor, model }: Pick<Attributes, 'name' | 'os' | 'vendor' | 'model'>,
  tags: readonly string[],
  macs: readonly string[],
): string {
  const values = [name, os, [vendor, model].filter(Boolean).join(' '), ...tags]
  const lines = values.flatMap((value) => (value ? [searchSpelling(value)] : []))
  return [...new Set([...lines, ...macs.map(macSearchSpelling)])].join('\n')
}
