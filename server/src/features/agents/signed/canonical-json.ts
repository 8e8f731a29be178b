import { sha256 } from '#platform/secrets/random-keys.ts'

const HASH_BYTES = 16

/** JSON Canonicalization Scheme (RFC 8785) of a value that JSON.parse returned. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${(value as unknown[]).map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, it]) => `${JSON.stringify(name)}:${canonicalJson(it)}`).join(',')}}`
}

/** Of a section: the first 16 bytes of SHA-256 over its canonical form, in hexadecimal digits. */
export const sectionHash = (section: unknown): string =>
  sha256(canonicalJson(section)).subarray(0, HASH_BYTES).toString('hex')
