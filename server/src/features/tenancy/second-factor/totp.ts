import { Secret, TOTP } from 'otpauth'

/** RFC 4226 §4 R6: a shared secret of 160 bits. */
const SECRET_BYTES = 20
/** RFC 6238 §5.2: accepts one time step before and after, for slow typing and clock differences. */
const STEPS_AROUND = 1
const PERIOD_SECONDS = 30
const CODE = /^\d{6}$/
const ISSUER = 'Rollcall'

/** A new secret for an authenticator app, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The otpauth URI for a QR code. */
export const totpUri = (secret: string, email: string): string => totp(secret, email).toString()

/** The time step of the code; undefined if it is not valid at this time. The caller accepts each step once. */
export function stepOf(code: string, secret: string, at: Date): number | undefined {
  if (!CODE.test(code)) return undefined
  const delta = totp(secret).validate({ token: code, timestamp: at.getTime(), window: STEPS_AROUND })
  return delta === null ? undefined : Math.floor(at.getTime() / 1000 / PERIOD_SECONDS) + delta
}

/** The code at this time; for tests. */
export const codeAt = (secret: string, at: Date): string => totp(secret).generate({ timestamp: at.getTime() })

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
