import { invalid } from '../errors.ts'

/** How long a secret is valid, of two arguments; undefined: neither is given. Throws 400 naming `expiresInDays` for both. */
export function lifetimeOf(
  expiresInDays: number | null | undefined,
  never: boolean | null | undefined,
): number | 'never' | undefined {
  if (never !== true) return expiresInDays ?? undefined
  if (typeof expiresInDays === 'number') throw invalid('expiresInDays', 'cannot be given with “never”')
  return 'never'
}
