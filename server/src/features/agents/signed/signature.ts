import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { Refusal } from '#platform/errors.ts'
import { equalInConstantTime, sha256 } from '#platform/secrets/random-keys.ts'

/** What a signed request says of itself. `keyId` is the SHA-256 of the raw public key. */
export interface SignedRequest {
  readonly keyId: Buffer
  readonly counter: number
  /** Seconds since 1970 by the agent's clock. */
  readonly created: number
  readonly digest: string
  readonly base: Buffer
  readonly signature: Buffer
}

const COVERED = '("@method" "@path" "@query" "content-digest")'
const INPUT =
  /^sig=(\("@method" "@path" "@query" "content-digest"\);created=(\d{1,12});keyid="([0-9a-f]{64})";nonce="(\d{1,15})";tag="([a-z0-9-]{1,40})")$/
const SIGNATURE = /^sig=:([A-Za-z0-9+/]{86}==):$/
const DIGEST = /^sha-256=:[A-Za-z0-9+/]{43}=:$/
const CLOCK_TOLERANCE_S = 300
const PUBLIC_KEY_BYTES = 32

export interface RequestHead {
  readonly method: string
  readonly path: string
  readonly hasQuery: boolean
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type SignatureTag = 'rollcall-agent-1' | 'rollcall-collector-1'

/**
 * HTTP Message Signatures (RFC 9421) in one profile: label `sig`, these components and parameters in this order, nothing
 * else; body by Content-Digest (RFC 9530). 400 `signature_profile` for every other. A signature with another tag was made
 * for another protocol.
 */
export function readSignature(
  { method, path, hasQuery, headers }: RequestHead,
  tag: SignatureTag = 'rollcall-agent-1',
): SignedRequest {
  const text = (name: string): string => {
    const value = headers[name]
    return typeof value === 'string' ? value : ''
  }
  const input = INPUT.exec(text('signature-input'))
  const signature = SIGNATURE.exec(text('signature'))?.[1]
  const digest = text('content-digest')
  const [, parameters = '', created, keyId, counter, ownTag] = input ?? []
  if (ownTag !== tag || signature === undefined || !DIGEST.test(digest) || hasQuery) throw notInProfile(tag)
  const base = [
    `"@method": ${method}`,
    `"@path": ${path}`,
    '"@query": ?',
    `"content-digest": ${digest}`,
    `"@signature-params": ${parameters}`,
  ].join('\n')
  return {
    keyId: Buffer.from(keyId ?? '', 'hex'),
    counter: Number(counter),
    created: Number(created),
    digest,
    base: Buffer.from(base),
    signature: Buffer.from(signature, 'base64'),
  }
}

const notInProfile = (tag: SignatureTag): Refusal =>
  new Refusal(
    400,
    'signature_profile',
    `send Content-Digest with sha-256, and a signature with the label sig over ${COVERED} with created, keyid, nonce and tag="${tag}", in this order, without a query`,
  )

/** 401 `signature` unless the holder of the key signed it, 401 `clock` when it is not of the last five minutes or the next. */
export function verifySignature(
  { base, signature, created }: SignedRequest,
  publicKey: Buffer,
  now: Date,
): void {
  if (!isSignedBy(publicKey, base, signature))
    throw new Refusal(401, 'signature', 'the signature does not fit the request and its key')
  if (Math.abs(now.getTime() / 1_000 - created) > CLOCK_TOLERANCE_S)
    throw new Refusal(401, 'clock', 'created: is more than 300 s from the time of the server; see Date', {
      headers: { date: now.toUTCString() },
    })
}

/** 400 `digest` when the body is not the one that was signed. */
export function verifyDigest({ digest }: SignedRequest, packed: Buffer): void {
  const own = createHash('sha256').update(packed).digest('base64')
  if (digest !== `sha-256=:${own}:`)
    throw new Refusal(400, 'digest', 'the body does not have the digest of Content-Digest')
}

/** The raw public key that `keyId` names; undefined for any other text. */
export function publicKeyIn(text: unknown, keyId: Buffer): Buffer | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length === PUBLIC_KEY_BYTES && equalInConstantTime(sha256(key), keyId) ? key : undefined
}

export function isSignedBy(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  try {
    return verify(null, message, keyObject(publicKey), signature)
  } catch {
    return false
  }
}

/** As a JSON Web Key (RFC 8037): OpenSSL takes eight times as long to read the same key in SPKI. */
const keyObject = (publicKey: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }, format: 'jwk' })
