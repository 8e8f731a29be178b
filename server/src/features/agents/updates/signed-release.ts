import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { invalid } from '#platform/errors.ts'
import { isSignedBy } from '../signed/signature.ts'

/** What a release is. Times are RFC 3339; versions have three numbers. */
export interface Manifest {
  readonly version: string
  /** The server must be at least of this version. */
  readonly min_server: string
  /** No agent takes it before. */
  readonly not_before: string
  /** Archives by platform; `any` is the agent without Node, for hosts of every platform. */
  readonly files: Readonly<Record<string, ReleaseFile>>
}

export interface ReleaseFile {
  /** In hexadecimal digits. */
  readonly sha256: string
  readonly size: number
}

/** A key that signs releases, with the signature of an offline root. Keys and signatures in base64. */
export interface ReleaseKey {
  readonly public_key: string
  /** RFC 3339: releases are not taken after. */
  readonly not_after: string
  readonly signature: string
}

/** `release.json`: what agents check. */
export interface SignedRelease {
  /** The bytes of the manifest, in base64. */
  readonly manifest: string
  readonly signature: string
  readonly key: ReleaseKey
}

/** A key pair. Both parts in base64: 32 bytes each. */
export interface SigningKey {
  readonly private_key: string
  readonly public_key: string
}

const RELEASE = 'rollcall-agent-release-1\n'
const RELEASE_KEY = 'rollcall-release-key-1\n'
/** Before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/
const PLATFORM = /^[a-z0-9]+(-[a-z0-9]+)?$/
export const FILE_BYTES_MAX = 150 * 1_048_576

export function newSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const last32 = (der: Buffer): string => der.subarray(-KEY_BYTES).toString('base64')
  return {
    private_key: last32(privateKey.export({ format: 'der', type: 'pkcs8' })),
    public_key: last32(publicKey.export({ format: 'der', type: 'spki' })),
  }
}

/** Lets a key sign releases until `notAfter`. */
export function certified(key: SigningKey, root: SigningKey, notAfter: Date): ReleaseKey {
  const { public_key } = key
  const not_after = notAfter.toISOString()
  return { public_key, not_after, signature: signed(root, keyMessage({ public_key, not_after })) }
}

export function signedRelease(manifest: Manifest, key: SigningKey, certificate: ReleaseKey): SignedRelease {
  const bytes = Buffer.from(JSON.stringify(manifest))
  return {
    manifest: bytes.toString('base64'),
    signature: signed(key, releaseMessage(bytes)),
    key: certificate,
  }
}

/**
 * The manifest of a release whose signatures lead to one of `roots` (public keys in base64). Throws 400 naming what does not
 * fit. The agent checks the same by its own code.
 */
export function verifiedManifest(value: unknown, roots: readonly string[], now: Date): Manifest {
  const { manifest, signature, key } = shapeOf(value)
  if (!roots.some((root) => isSigned(root, keyMessage(key), key.signature)))
    throw invalid('key', 'is signed by no root key that this installation knows')
  if (!(now.getTime() < Date.parse(key.not_after)))
    throw invalid('key', `signs no releases after ${key.not_after}`)
  const bytes = Buffer.from(manifest, 'base64')
  if (!isSigned(key.public_key, releaseMessage(bytes), signature))
    throw invalid('signature', 'is not that of the release key')
  return manifestIn(bytes)
}

/** Whether `a` is the later of two versions. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((it) => it.split('.').map(Number))
  const at = left?.findIndex((number, index) => number !== right?.[index]) ?? -1
  return at >= 0 && (left?.[at] ?? 0) > (right?.[at] ?? 0)
}

const keyMessage = ({ public_key, not_after }: Pick<ReleaseKey, 'public_key' | 'not_after'>): Buffer =>
  Buffer.from(`${RELEASE_KEY}${public_key}\n${not_after}`)

const releaseMessage = (manifest: Buffer): Buffer => Buffer.concat([Buffer.from(RELEASE), manifest])

const signed = ({ private_key }: SigningKey, message: Buffer): string => {
  const seed = Buffer.from(private_key, 'base64')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return sign(null, message, key).toString('base64')
}

const isSigned = (publicKey: string, message: Buffer, signature: string): boolean =>
  isSignedBy(Buffer.from(publicKey, 'base64'), message, Buffer.from(signature, 'base64'))

/** The public part, for a file that names the private one alone. */
export const publicKeyOf = (private_key: string): string =>
  createPublicKey(
    createPrivateKey({
      key: Buffer.concat([PKCS8_PREFIX, Buffer.from(private_key, 'base64')]),
      format: 'der',
      type: 'pkcs8',
    }),
  )
    .export({ format: 'der', type: 'spki' })
    .subarray(-KEY_BYTES)
    .toString('base64')

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

function textIn(fields: Fields, name: string, form = /./s): string {
  const value = fields[name]
  if (typeof value !== 'string' || !form.test(value)) throw invalid(name, 'is missing or has another form')
  return value
}

function shapeOf(value: unknown): SignedRelease {
  const fields = fieldsOf(value)
  const key = fieldsOf(fields['key'])
  return {
    manifest: textIn(fields, 'manifest'),
    signature: textIn(fields, 'signature'),
    key: {
      public_key: textIn(key, 'public_key'),
      not_after: textIn(key, 'not_after'),
      signature: textIn(key, 'signature'),
    },
  }
}

function manifestIn(bytes: Buffer): Manifest {
  const fields = fieldsOf(JSON.parse(bytes.toString('utf8')))
  const files = Object.entries(fieldsOf(fields['files'])).map(([platform, value]): [string, ReleaseFile] => {
    const file = fieldsOf(value)
    const size = Number(file['size'])
    if (!PLATFORM.test(platform)) throw invalid('files', `${platform.slice(0, 50)} is no platform`)
    if (!Number.isSafeInteger(size) || size <= 0 || size > FILE_BYTES_MAX)
      throw invalid(`files.${platform}.size`, `must be from 1 to ${FILE_BYTES_MAX}`)
    return [platform, { sha256: textIn(file, 'sha256', /^[0-9a-f]{64}$/), size }]
  })
  if (files.length === 0) throw invalid('files', 'names no archive')
  return {
    version: textIn(fields, 'version', VERSION),
    min_server: textIn(fields, 'min_server', VERSION),
    not_before: textIn(fields, 'not_before', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    files: Object.fromEntries(files),
  }
}
