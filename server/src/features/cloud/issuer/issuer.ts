import { createHash, generateKeyPair, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import type { Claims, Ctx } from '#platform/context.ts'
import { signedToken } from '../connectors/signed-token.ts'
import * as store from './issuer-key-store.ts'

/**
 * Rollcall as an OpenID Connect issuer: providers that trust it let a connection sign in without a secret that lasts.
 * They read `{issuer}/.well-known/openid-configuration` and the keys that it names.
 */
export const ISSUER_PATH = '/oidc/cloud'

export const issuerOf = ({ publicUrl }: Pick<Ctx, 'publicUrl'>): string => publicUrl + ISSUER_PATH

const DAY_MS = 86_400_000
/** How long a key signs. */
const SIGNS_MS = 90 * DAY_MS
/** How long before that it is published, for those who upload the keys to a provider by hand. */
const AHEAD_MS = 30 * DAY_MS
/** How long it is published when another one signs: the last tokens end after ten minutes. */
const AFTER_MS = DAY_MS
const TOKEN_SECONDS = 600
const RSA_BITS = 2_048

const SEAL_CONTEXT = 'cloud issuer key'

export const sealedIssuerKeys = {
  table: 'cloud_issuer_keys',
  key: ['kid'],
  column: 'private_key_sealed',
  contextOf: ({ kid }: Readonly<Record<string, unknown>>) => `${SEAL_CONTEXT}|${String(kid)}`,
}

/** A signed token (RFC 7519) of `sub` and `aud`, good for ten minutes. `system`: a tenant's context may not read keys. */
export async function issueToken(system: Ctx, claims: Claims): Promise<string> {
  const at = system.now().getTime()
  const { kid, privateKeySealed } = signingKey(await keysOf(system), at)
  const privateKey = system.seal.open(privateKeySealed, sealedIssuerKeys.contextOf({ kid }))
  const iat = Math.floor(at / 1_000)
  return signedToken(
    { privateKey, keyId: kid },
    { iss: issuerOf(system), ...claims, iat, nbf: iat, exp: iat + TOKEN_SECONDS },
  )
}

/** The public keys by which tokens can be verified now, and those that sign next (RFC 7517 §5). */
export async function publishedKeys(system: Ctx): Promise<JsonWebKey[]> {
  const keys = await keysOf(system)
  return keys.map(({ kid, publicKey }) => ({ ...publicKey, kid, use: 'sig', alg: 'RS256' }))
}

/** Makes the key that signs next when its time has come, and forgets those that no token needs any longer. */
export async function rotateIssuerKeys(system: Ctx): Promise<void> {
  const at = system.now().getTime()
  const keys = await store.issuerKeys(system)
  const [latest] = keys
  if (!latest) return
  const next = Date.parse(latest.signsFrom) + SIGNS_MS
  if (next - AHEAD_MS <= at) await addKey(system, new Date(Math.max(next, at)))
  const isReplaced = (index: number) =>
    keys.slice(0, index).some(({ signsFrom }) => Date.parse(signsFrom) + AFTER_MS < at)
  const old = keys.filter((_, index) => isReplaced(index))
  if (old.length > 0)
    await store.removeIssuerKeys(
      system,
      old.map(({ kid }) => kid),
    )
}

/** The first key is made when it is asked for. Should two nodes make one each, both are published. */
async function keysOf(system: Ctx): Promise<store.IssuerKey[]> {
  const keys = await store.issuerKeys(system)
  if (keys.length > 0) return keys
  await addKey(system, system.now())
  return store.issuerKeys(system)
}

function signingKey(keys: readonly store.IssuerKey[], at: number): store.IssuerKey {
  const found = keys.find(({ signsFrom }) => Date.parse(signsFrom) <= at) ?? keys.at(-1)
  if (!found) throw new Error('no key was made')
  return found
}

async function addKey(system: Ctx, signsFrom: Date): Promise<void> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS })
  const jwk = publicKey.export({ format: 'jwk' })
  const kid = thumbprintOf(jwk)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const privateKeySealed = system.seal.seal(pem, sealedIssuerKeys.contextOf({ kid }))
  await store.addIssuerKey(system, { kid, publicKey: jwk, privateKeySealed, signsFrom })
}

/** RFC 7638 */
const thumbprintOf = ({ e, kty, n }: JsonWebKey): string =>
  createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')
