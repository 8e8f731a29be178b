import { sign } from 'node:crypto'
import type { JsonObject } from './read-json.ts'

/** An RSA key, PKCS #8 in PEM. */
export interface TokenKey {
  readonly privateKey: string
  /** Empty: the token names none. */
  readonly keyId: string
}

/** A JSON Web Token (RFC 7519) signed with RS256 (RFC 7518 §3.3). Throws when the key is none. */
export function signedToken({ privateKey, keyId }: TokenKey, claims: JsonObject): string {
  const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', ...(keyId !== '' && { kid: keyId }) })}.${part(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}
