import { createPublicKey, verify, type JsonWebKey } from 'node:crypto'

/** An OpenID Connect issuer that a replayed provider trusts, as its customer has configured it there. */
export interface TrustedIssuer {
  readonly issuer: string
  /** Where a test serves it, in place of scheme and host of `issuer`. */
  readonly servedAt: string
  /** The only subject that is let in; absent: any. */
  readonly subject?: string
}

export type TokenVerdict = 'let in' | 'other subject' | 'not verified'

/** Verifies a token as providers do: by the keys that the issuer serves, its times, and the audience. */
export async function judgeToken(
  token: string,
  trusted: TrustedIssuer | undefined,
  audience: string,
): Promise<TokenVerdict> {
  if (!trusted) return 'not verified'
  const [head = '', payload = '', signature = ''] = token.split('.')
  const header = decoded(head) as { alg?: string; kid?: string }
  const claims = decoded(payload) as Record<'iss' | 'aud' | 'sub', string> & Record<'nbf' | 'exp', number>
  const { pathname } = new URL(trusted.issuer)
  const document = await read(`${trusted.servedAt}${pathname}/.well-known/openid-configuration`)
  const { keys } = await read(trusted.servedAt + new URL(String(document['jwks_uri'])).pathname)
  const key = (keys as (JsonWebKey & { kid: string })[]).find(({ kid }) => kid === header.kid)
  const seconds = Date.now() / 1_000
  const isVerified =
    header.alg === 'RS256' &&
    key !== undefined &&
    document['issuer'] === trusted.issuer &&
    claims.iss === trusted.issuer &&
    claims.aud === audience &&
    claims.nbf <= seconds &&
    claims.exp > seconds &&
    claims.exp <= seconds + 600 &&
    verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      createPublicKey({ key, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    )
  if (!isVerified) return 'not verified'
  return trusted.subject === undefined || trusted.subject === claims.sub ? 'let in' : 'other subject'
}

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

const read = async (address: string): Promise<Record<string, unknown>> =>
  (await (await fetch(address)).json()) as Record<string, unknown>
