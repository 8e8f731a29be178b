import { createHash } from 'node:crypto'
import type { Json } from '../json.ts'

const HASH_BYTES = 16

/** JSON Canonicalization Scheme (RFC 8785): members sorted by UTF-16 code units, numbers and texts as ECMAScript writes them. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((it: Json) => canonicalJson(it)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, it]) => `${JSON.stringify(name)}:${canonicalJson(it)}`).join(',')}}`
}

/** Of a section: the first 16 bytes of SHA-256 over its canonical form, in hexadecimal digits. */
export const sectionHash = (section: Json): string =>
  createHash('sha256').update(canonicalJson(section)).digest().subarray(0, HASH_BYTES).toString('hex')
