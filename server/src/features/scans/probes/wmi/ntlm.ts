import { createHash, createHmac, randomBytes, X509Certificate } from 'node:crypto'
import { md4 } from './md4.ts'
import { readTargetInfo, writeTargetInfo, type TargetInfo } from './ntlm-target-info.ts'
import { rc4 } from './rc4.ts'
import { sealing, type Sealing } from './ntlm-sealing.ts'

/** NTLM version 2 as a client, after [MS-NLMP]: signing, sealing and 128-bit keys always, nothing weaker. */

export interface Account {
  readonly username: string
  /** Empty: an account of the machine itself. */
  readonly domain: string
  readonly password: string
}

export interface Handshake {
  readonly account: Account
  /** What was sent first. */
  readonly negotiate: Buffer
  /** What came back. */
  readonly challenge: Buffer
  /** Whom the client means to speak to: `HTTP/host`. */
  readonly servicePrincipal: string
  /** Of the TLS connection below, by `channelBinding`. */
  readonly binding?: Buffer
  readonly now: Date
  /** For published test vectors alone. */
  readonly chance?: { readonly clientChallenge: Buffer; readonly sessionKey: Buffer }
}

/** The server speaks no NTLM that is safe, or none at all. */
export class NtlmError extends Error {
  override readonly name = 'NtlmError'
}

/** The first of three messages. */
export function negotiate(): Buffer {
  const message = Buffer.alloc(40)
  header(message, 1)
  message.writeUInt32LE(WANTED, 12)
  VERSION.copy(message, 32)
  return message
}

/** The third message, and the keys that both sides hold from now on. */
export function authenticate(handshake: Handshake): { readonly message: Buffer; readonly sealing: Sealing } {
  const { account, chance } = handshake
  const { flags, serverChallenge, targetInfo } = readChallenge(handshake.challenge)
  const clientChallenge = chance?.clientChallenge ?? randomBytes(8)
  const sessionKey = chance?.sessionKey ?? randomBytes(16)
  const responseKey = responseKeyOf(account)
  const time = targetInfo.timestamp ?? fileTime(handshake.now)
  const temp = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    time,
    clientChallenge,
    Buffer.alloc(4),
    writeTargetInfo(answered(targetInfo, handshake)),
    Buffer.alloc(4),
  ])
  const proof = hmac(responseKey, serverChallenge, temp)
  const baseKey = hmac(responseKey, proof)
  const message = authenticateMessage({
    flags: flags & WANTED,
    lm: targetInfo.timestamp ? Buffer.alloc(24) : lmResponse(responseKey, serverChallenge, clientChallenge),
    nt: Buffer.concat([proof, temp]),
    account,
    encryptedKey: rc4(baseKey)(sessionKey),
  })
  if (targetInfo.timestamp)
    hmac(sessionKey, handshake.negotiate, handshake.challenge, message).copy(message, MIC_AT)
  return { message, sealing: sealing(sessionKey) }
}

/** NTOWFv2 of [MS-NLMP] 3.3.2. */
export function responseKeyOf({ username, domain, password }: Account): Buffer {
  return hmac(md4(utf16(password)), utf16(username.toUpperCase() + domain))
}

/** RFC 5929 `tls-server-end-point` of a certificate in DER, wrapped as [MS-NLMP] 2.2.2.1 wants it. */
export function channelBinding(certificate: Buffer): Buffer {
  const signedBy = new X509Certificate(certificate).signatureAlgorithm ?? ''
  const hash = createHash(/sha(?:384|512)/i.exec(signedBy)?.[0] ?? 'sha256')
    .update(certificate)
    .digest()
  const data = Buffer.concat([Buffer.from('tls-server-end-point:'), hash])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return createHash('md5')
    .update(Buffer.concat([Buffer.alloc(16), length, data]))
    .digest()
}

const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1')
/** What Windows of the last fifteen years says of itself: 6.1, revision 15 of NTLMSSP. */
const VERSION = Buffer.from([6, 1, 0xb1, 0x1d, 0, 0, 0, 15])
const MIC_AT = 72
const PAYLOAD_AT = 88
const CHALLENGE_LENGTH_MIN = 48

const UNICODE = 0x0000_0001
const REQUEST_TARGET = 0x0000_0004
const SIGN = 0x0000_0010
const SEAL = 0x0000_0020
const NTLM = 0x0000_0200
const ALWAYS_SIGN = 0x0000_8000
const EXTENDED_SESSION_SECURITY = 0x0008_0000
const TARGET_INFO = 0x0080_0000
const HAS_VERSION = 0x0200_0000
const KEYS_128 = 0x2000_0000
const KEY_EXCHANGE = 0x4000_0000
const KEYS_56 = 0x8000_0000
const NEEDED = UNICODE | SIGN | SEAL | EXTENDED_SESSION_SECURITY | TARGET_INFO | KEYS_128 | KEY_EXCHANGE
const WANTED = (NEEDED | REQUEST_TARGET | NTLM | ALWAYS_SIGN | HAS_VERSION | KEYS_56) >>> 0

interface Challenge {
  readonly flags: number
  readonly serverChallenge: Buffer
  readonly targetInfo: TargetInfo
}

function readChallenge(message: Buffer): Challenge {
  const isChallenge =
    message.length >= CHALLENGE_LENGTH_MIN &&
    message.subarray(0, 8).equals(SIGNATURE) &&
    message.readUInt32LE(8) === 2
  if (!isChallenge) throw new NtlmError('the answer to the NTLM negotiation is not a challenge')
  const flags = message.readUInt32LE(20)
  if ((flags & NEEDED) >>> 0 !== NEEDED >>> 0)
    throw new NtlmError('the server offers no NTLM version 2 with sealing and 128-bit keys')
  const [length, offset] = [message.readUInt16LE(40), message.readUInt32LE(44)]
  if (offset + length > message.length) throw new NtlmError('the NTLM challenge is cut off')
  const targetInfo = readTargetInfo(message.subarray(offset, offset + length))
  if (!targetInfo) throw new NtlmError('the NTLM challenge has no readable target information')
  return { flags, serverChallenge: message.subarray(24, 32), targetInfo }
}

/** What the server said of itself, and what the client binds its answer to. Servers without a clock get it plain. */
function answered(info: TargetInfo, { servicePrincipal, binding }: Handshake): TargetInfo {
  if (!info.timestamp) return info
  return {
    ...info,
    pairs: [
      ...info.pairs,
      { id: 'flags', value: Buffer.from([2, 0, 0, 0]) },
      { id: 'target_name', value: utf16(servicePrincipal) },
      { id: 'channel_bindings', value: binding ?? Buffer.alloc(16) },
    ],
  }
}

interface Fields {
  readonly flags: number
  readonly lm: Buffer
  readonly nt: Buffer
  readonly account: Account
  readonly encryptedKey: Buffer
}

function authenticateMessage({ flags, lm, nt, account, encryptedKey }: Fields): Buffer {
  const parts = [lm, nt, utf16(account.domain), utf16(account.username), Buffer.alloc(0), encryptedKey]
  const message = Buffer.concat([Buffer.alloc(PAYLOAD_AT), ...parts])
  header(message, 3)
  let offset = PAYLOAD_AT
  parts.forEach((part, i) => {
    const at = 12 + i * 8
    message.writeUInt16LE(part.length, at)
    message.writeUInt16LE(part.length, at + 2)
    message.writeUInt32LE(offset, at + 4)
    offset += part.length
  })
  message.writeUInt32LE(flags >>> 0, 60)
  VERSION.copy(message, 64)
  return message
}

function header(message: Buffer, type: number): void {
  SIGNATURE.copy(message)
  message.writeUInt32LE(type, 8)
}

function lmResponse(key: Buffer, serverChallenge: Buffer, clientChallenge: Buffer): Buffer {
  return Buffer.concat([hmac(key, serverChallenge, clientChallenge), clientChallenge])
}

function hmac(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  return createHmac('md5', key).update(Buffer.concat(parts)).digest()
}

/** Tenths of a microsecond since 1601. */
function fileTime(now: Date): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64LE((BigInt(now.getTime()) + 11_644_473_600_000n) * 10_000n)
  return time
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
