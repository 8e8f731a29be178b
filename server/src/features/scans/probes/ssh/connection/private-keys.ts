import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { parseKey, type ParsedKey } from './ssh2-library.ts'

/** A private key in OpenSSH's form, or PEM (PKCS#1, SEC 1, PKCS#8), encrypted or not. Undefined: not readable so. */
export function readPrivateKey(text: string, passphrase: string | undefined): ParsedKey | undefined {
  try {
    return privateOf(parseKey(text, passphrase)) ?? privateOf(parseKey(rewritten(text, passphrase)))
  } catch {
    return undefined
  }
}

/** `SHA256:` and base64 without padding, as ssh-keygen(1) prints it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

/** The name of its algorithm, with which every public key begins (RFC 4253, 6.6). */
export function algorithmOf(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0
  const name = key.subarray(4, 4 + Math.min(length, NAME_LENGTH_MAX)).toString('latin1')
  return /^[\w@.-]+$/.test(name) ? name : 'unknown'
}

const NAME_LENGTH_MAX = 64

const privateOf = (key: ParsedKey | ParsedKey[] | Error): ParsedKey | undefined => {
  const one = Array.isArray(key) ? key[0] : key
  return one instanceof Error || !one?.isPrivateKey() ? undefined : one
}

/** The library knows no PKCS#8. */
function rewritten(text: string, passphrase: string | undefined): string {
  const key = createPrivateKey({ key: text, ...(passphrase !== undefined && { passphrase }) })
  if (key.asymmetricKeyType === 'rsa') return key.export({ format: 'pem', type: 'pkcs1' }).toString()
  if (key.asymmetricKeyType === 'ec') return key.export({ format: 'pem', type: 'sec1' }).toString()
  return ed25519InOpenSsh(key)
}

/** PROTOCOL.key of OpenSSH: one key, no cipher. */
function ed25519InOpenSsh(key: KeyObject): string {
  const { d = '' } = key.export({ format: 'jwk' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const shown = Buffer.concat([field('ssh-ed25519'), field(point)])
  const check = Buffer.alloc(8)
  const hidden = Buffer.concat([check, shown, field(Buffer.concat([seed, point])), field('')])
  const padding = Buffer.from(Array.from({ length: (8 - (hidden.length % 8)) % 8 }, (_, i) => i + 1))
  const count = Buffer.from([0, 0, 0, 1])
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    count,
    field(shown),
    field(Buffer.concat([hidden, padding])),
  ])
  const lines = body.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
