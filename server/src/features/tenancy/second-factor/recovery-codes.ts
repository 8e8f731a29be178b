import { Secret } from 'otpauth'
import { sha256 } from '#platform/secrets/random-keys.ts'

/**
 * NIST SP 800-63B-4 §3.1.2.1: a look-up secret of at least 20 bits; with 80 bits, an unsalted digest can be stored.
 */
const RECOVERY_BYTES = 10
const RECOVERY_CODES = 10

/** New codes in base32, as `xxxx-xxxx-xxxx-xxxx`; displayed once. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase()
    return (letters.match(/.{4}/g) ?? []).join('-')
  })

/** Accepts codes with or without dashes, in upper or lower case. */
export const recoveryHash = (code: string): Buffer => sha256(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
