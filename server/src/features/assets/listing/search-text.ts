import { searchSpelling } from '#platform/conditions/normalize-text.ts'
import type { Attributes } from '../attributes/source-precedence.ts'

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
