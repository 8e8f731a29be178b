import { sha256 } from '#platform/secrets/random-keys.ts'

const HASH_BYTES = 16

const DEPTH_MAX = 32

/**
 * JSON Canonicalization Scheme (RFC 8785) of a value that JSON.parse returned. Throws a RangeError over 32 levels.
 * Not the one of `audit/proof/verify-proof.ts`: that file runs alone and imports nothing of Rollcall, and what it reads
 * has no limit of depth, while sections of agents' reports need one.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) throw new RangeError('nested too deeply')
  const inner = (it: unknown): string => canonicalJson(it, depth + 1)
  if (Array.isArray(value)) return `[${(value as unknown[]).map(inner).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, it]) => `${JSON.stringify(name)}:${inner(it)}`).join(',')}}`
}

/** Of a section: the first 16 bytes of SHA-256 over its canonical form, in hexadecimal digits. */
export const sectionHash = (section: unknown): string =>
  sha256(canonicalJson(section)).subarray(0, HASH_BYTES).toString('hex')
