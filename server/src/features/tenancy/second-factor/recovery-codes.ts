import { Secret } from 'otpauth'
import { sha256 } from '#platform/secrets/random-keys.ts'

/** NIST SP 800-63B-4 §3.1.2.1: a look-up secret of at least 20 bits; with 80 its plain digest is safe to keep. */
const RECOVERY_BYTES = 10
const RECOVERY_CODES = 10

/** Shown once: `xxxx-xxxx-xxxx-xxxx` each, in base32. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase()
    return (letters.match(/.{4}/g) ?? []).join('-')
  })

/** As people type it back: with or without dashes, in any case. */
export const recoveryHash = (code: string): Buffer => sha256(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
