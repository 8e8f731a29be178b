import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { SnmpUser } from '../../credential-access.ts'
import { Malformed } from './ber.ts'

type AuthProtocol = NonNullable<SnmpUser['auth']>['protocol']
type PrivacyProtocol = NonNullable<SnmpUser['privacy']>['protocol']

/** The engine that a message is for, and its clock at the time. */
export interface EngineTime {
  readonly boots: number
  readonly time: number
}

/** What a user's passwords become for one engine (RFC 3414, 2.6). Only these keys are kept for a conversation. */
export interface Keys {
  readonly auth?: { readonly protocol: AuthProtocol; readonly key: Buffer }
  readonly privacy?: { readonly protocol: PrivacyProtocol; readonly key: Buffer }
}

/** Octets of the code in the message: 96 bits in RFC 3414; RFC 7860, 4.1, for SHA-2. */
const authOf: Readonly<Record<AuthProtocol, { readonly hash: string; readonly codeOctets: number }>> = {
  md5: { hash: 'md5', codeOctets: 12 },
  sha: { hash: 'sha1', codeOctets: 12 },
  sha224: { hash: 'sha224', codeOctets: 16 },
  sha256: { hash: 'sha256', codeOctets: 24 },
  sha384: { hash: 'sha384', codeOctets: 32 },
  sha512: { hash: 'sha512', codeOctets: 48 },
}

/** RFC 3414, 8 (DES takes eight more for its initial vector); RFC 3826; AES-256 as agents have it without any RFC. */
const keyOctets: Readonly<Record<PrivacyProtocol, number>> = { des: 16, aes: 16, aes256b: 32, aes256r: 32 }

/** RFC 3414, A.2: a password is repeated to a million octets and hashed. */
const STRETCHED_OCTETS = 1_048_576

export function keysOf({ auth, privacy }: SnmpUser, engineId: Buffer): Keys {
  if (!auth) return {}
  const { protocol } = auth
  const own = { protocol, key: keyFrom(protocol, Buffer.from(auth.password), engineId) }
  if (!privacy) return { auth: own }
  const needed = keyOctets[privacy.protocol]
  const key = keyFrom(protocol, Buffer.from(privacy.password), engineId)
  const extend = privacy.protocol === 'aes256r' ? extendedAsReeder : extendedAsBlumenthal
  const long = key.length >= needed ? key : extend(key, { protocol, engineId, needed })
  return { auth: own, privacy: { protocol: privacy.protocol, key: long.subarray(0, needed) } }
}

export const codeOctetsOf = (protocol: AuthProtocol): number => authOf[protocol].codeOctets

export const emptyCode = (keys: Keys): Buffer =>
  Buffer.alloc(keys.auth ? codeOctetsOf(keys.auth.protocol) : 0)

/** Over the whole message, with zeroes where the code stands. */
export function codeOf({ protocol, key }: NonNullable<Keys['auth']>, message: Buffer): Buffer {
  const { hash, codeOctets } = authOf[protocol]
  return createHmac(hash, key).update(message).digest().subarray(0, codeOctets)
}

/** `code` is a view into `message`. */
export function isAuthentic(auth: NonNullable<Keys['auth']>, message: Buffer, code: Buffer): boolean {
  if (code.length !== codeOctetsOf(auth.protocol)) return false
  const received = Buffer.from(code)
  const blank = Buffer.from(message)
  blank.fill(0, code.byteOffset - message.byteOffset, code.byteOffset - message.byteOffset + code.length)
  return timingSafeEqual(codeOf(auth, blank), received)
}

export interface Sealed {
  readonly bytes: Buffer
  /** msgPrivacyParameters. */
  readonly salt: Buffer
}

export function seal(privacy: NonNullable<Keys['privacy']>, plain: Buffer, at: EngineTime): Sealed {
  const salt = randomBytes(8)
  const { algorithm, key, iv } = cipherOf(privacy, salt, at)
  const cipher = createCipheriv(algorithm, key, iv).setAutoPadding(false)
  const spare = privacy.protocol === 'des' ? (8 - (plain.length % 8)) % 8 : 0
  return {
    bytes: Buffer.concat([cipher.update(plain), cipher.update(Buffer.alloc(spare)), cipher.final()]),
    salt,
  }
}

/** Throws `Malformed` where the lengths cannot be right; a wrong key shows only in what comes out. */
export function unseal(
  privacy: NonNullable<Keys['privacy']>,
  { bytes, salt }: Sealed,
  at: EngineTime,
): Buffer {
  if (salt.length !== 8) throw new Malformed('a salt that is not of eight octets')
  if (privacy.protocol === 'des' && bytes.length % 8 !== 0) throw new Malformed('no whole number of blocks')
  const { algorithm, key, iv } = cipherOf(privacy, salt, at)
  const decipher = createDecipheriv(algorithm, key, iv).setAutoPadding(false)
  return Buffer.concat([decipher.update(bytes), decipher.final()])
}

function cipherOf(
  { protocol, key }: NonNullable<Keys['privacy']>,
  salt: Buffer,
  { boots, time }: EngineTime,
) {
  if (protocol === 'des') {
    // OpenSSL 3 keeps DES in a provider that is not loaded; triple DES with one key three times is DES
    const single = key.subarray(0, 8)
    const iv = Buffer.from(key.subarray(8, 16).map((octet, i) => octet ^ (salt[i] ?? 0)))
    return { algorithm: 'des-ede3-cbc', key: Buffer.concat([single, single, single]), iv }
  }
  const iv = Buffer.alloc(16)
  iv.writeInt32BE(boots, 0)
  iv.writeInt32BE(time, 4)
  salt.copy(iv, 8)
  return { algorithm: protocol === 'aes' ? 'aes-128-cfb' : 'aes-256-cfb', key, iv }
}

function keyFrom(protocol: AuthProtocol, password: Buffer, engineId: Buffer): Buffer {
  const { hash } = authOf[protocol]
  const digest = createHash(hash).update(Buffer.alloc(STRETCHED_OCTETS, password)).digest()
  return createHash(hash).update(digest).update(engineId).update(digest).digest()
}

interface Extension {
  readonly protocol: AuthProtocol
  readonly engineId: Buffer
  readonly needed: number
}

/** draft-blumenthal-aes-usm-04: what is missing is the hash of what is there. */
function extendedAsBlumenthal(key: Buffer, { protocol, needed }: Extension): Buffer {
  let long = key
  while (long.length < needed)
    long = Buffer.concat([long, createHash(authOf[protocol].hash).update(long).digest()])
  return long
}

/** draft-reeder-snmpv3-usm-3desede-00: the last piece is taken for a password again. Cisco and others do this. */
function extendedAsReeder(key: Buffer, { protocol, engineId, needed }: Extension): Buffer {
  let long = key
  let last = key
  while (long.length < needed) {
    last = keyFrom(protocol, last, engineId)
    long = Buffer.concat([long, last])
  }
  return long
}
