/** What a file server agrees to before anybody signs in (MS-SMB2, 2.2.3 and 2.2.4). */
export interface Smb {
  readonly dialect: string
  readonly signing: 'required' | 'offered' | 'off'
}

const HEADER_OCTETS = 64
const NEGOTIATE_OCTETS = 36
const DIALECTS = [0x0202, 0x0210, 0x0300, 0x0302, 0x0311]
const PREAUTH_INTEGRITY = 1
const SALT_OCTETS = 32
const SIGNING = { enabled: 1, required: 2 }

const dialectNames: Readonly<Record<number, string | undefined>> = {
  0x0202: '2.0.2',
  0x0210: '2.1',
  0x0300: '3.0',
  0x0302: '3.0.2',
  0x0311: '3.1.1',
}

/** A negotiate request alone: no session follows, so nobody signs in and nothing is opened. */
export function smbQuestion(): Buffer {
  const header = Buffer.alloc(HEADER_OCTETS)
  header.write('\xfeSMB', 'latin1')
  header.writeUInt16LE(HEADER_OCTETS, 4)
  header.writeUInt16LE(1, 14) // credits
  const dialects = Buffer.alloc(DIALECTS.length * 2)
  DIALECTS.forEach((it, i) => dialects.writeUInt16LE(it, i * 2))
  const context = Buffer.alloc(8 + 6 + SALT_OCTETS)
  context.writeUInt16LE(PREAUTH_INTEGRITY, 0)
  context.writeUInt16LE(context.length - 8, 2)
  context.writeUInt16LE(1, 8) // one hash
  context.writeUInt16LE(SALT_OCTETS, 10)
  context.writeUInt16LE(1, 12) // SHA-512
  const unaligned = HEADER_OCTETS + NEGOTIATE_OCTETS + dialects.length
  const contextAt = Math.ceil(unaligned / 8) * 8
  const body = Buffer.alloc(NEGOTIATE_OCTETS)
  body.writeUInt16LE(NEGOTIATE_OCTETS, 0)
  body.writeUInt16LE(DIALECTS.length, 2)
  body.writeUInt16LE(SIGNING.enabled, 4)
  body.fill(0x11, 12, 28) // the client's id: nobody's in particular
  body.writeUInt32LE(contextAt, 28)
  body.writeUInt16LE(1, 32)
  const message = Buffer.concat([header, body, dialects, Buffer.alloc(contextAt - unaligned), context])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(message.length)
  return Buffer.concat([length, message])
}

const LENGTH_OCTETS = 4
const ANSWER_OCTETS_MIN = LENGTH_OCTETS + HEADER_OCTETS + 6

export const isSmbAnswer = (received: Buffer): boolean =>
  received.length >= LENGTH_OCTETS && received.length >= LENGTH_OCTETS + (received.readUInt32BE() & 0xff_ffff)

/** Undefined: it does not speak SMB 2 or 3, or does not agree. */
export function readSmb(received: Buffer): Smb | undefined {
  if (received.length < ANSWER_OCTETS_MIN || received.toString('latin1', 4, 8) !== '\xfeSMB') return undefined
  const isAgreed =
    received.readUInt32LE(LENGTH_OCTETS + 8) === 0 && received.readUInt16LE(LENGTH_OCTETS + 12) === 0
  const body = received.subarray(LENGTH_OCTETS + HEADER_OCTETS)
  const dialect = dialectNames[body.readUInt16LE(4)]
  if (!isAgreed || dialect === undefined) return undefined
  const mode = body.readUInt16LE(2)
  return {
    dialect,
    signing: mode & SIGNING.required ? 'required' : mode & SIGNING.enabled ? 'offered' : 'off',
  }
}
