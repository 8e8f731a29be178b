import type { Protocol } from './udp-queries.ts'

/** What a machine says of itself in a NetBIOS node status response. */
export interface NodeStatus {
  readonly name?: string
  /** The workgroup, or the NetBIOS name of the Windows domain. */
  readonly domain?: string
  /** The adapter address; Samba sends zeroes, which are left out. */
  readonly mac?: string
}

const PORT = 137
const HEADER_BYTES = 12
const TYPE_NBSTAT = 0x21
const CLASS_IN = 1
const ENTRY_BYTES = 18
const NAME_BYTES = 15
const RESPONSE = 0x8000
const GROUP = 0x8000
/** The sixteenth byte of a name: the workstation service, which carries the machine's and the domain's name. */
const WORKSTATION = 0x00

/** NetBIOS node status over UDP (RFC 1002, 4.2.17 and 4.2.18). */
export const netbios: Protocol<NodeStatus> = {
  port: PORT,
  question: nodeStatusRequest(),
  decode: readNodeStatus,
}

/** Asks for the name `*`, which every node answers; encoded in halves of bytes as RFC 1001, 14.1 says. */
function nodeStatusRequest(): Buffer {
  const wildcard = Buffer.alloc(NAME_BYTES + 1)
  wildcard.write('*')
  const encoded = [...wildcard].flatMap((byte) => [0x41 + (byte >> 4), 0x41 + (byte & 0xf)])
  const header = [0x52, 0x43, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
  return Buffer.from([...header, encoded.length, ...encoded, 0, 0, TYPE_NBSTAT, 0, CLASS_IN])
}

/** `undefined` when the bytes are no node status response. */
export function readNodeStatus(message: Buffer): NodeStatus | undefined {
  if (message.length < HEADER_BYTES || (message.readUInt16BE(2) & RESPONSE) === 0) return undefined
  const afterName = skipName(message, HEADER_BYTES)
  if (afterName === undefined || message.length < afterName + 11) return undefined
  if (message.readUInt16BE(afterName) !== TYPE_NBSTAT) return undefined
  const count = message.readUInt8(afterName + 10)
  const first = afterName + 11
  const end = first + count * ENTRY_BYTES
  if (end > message.length) return undefined
  const entries = Array.from({ length: count }, (_, i) => readEntry(message, first + i * ENTRY_BYTES))
  const workstation = entries.filter((entry) => entry.suffix === WORKSTATION && entry.name !== '')
  const name = workstation.find((entry) => !entry.isGroup)?.name
  const domain = workstation.find((entry) => entry.isGroup)?.name
  const mac = readMac(message.subarray(end, end + 6))
  return { ...(name && { name }), ...(domain && { domain }), ...(mac && { mac }) }
}

function readEntry(message: Buffer, at: number): { name: string; suffix: number; isGroup: boolean } {
  return {
    name: printable(message.toString('latin1', at, at + NAME_BYTES)),
    suffix: message.readUInt8(at + NAME_BYTES),
    isGroup: (message.readUInt16BE(at + NAME_BYTES + 1) & GROUP) !== 0,
  }
}

/** Answers where the name ends, whether it is written out or a pointer (RFC 1035, 4.1.4). */
function skipName(message: Buffer, from: number): number | undefined {
  for (let at = from; at < message.length;) {
    const length = message[at] ?? 0
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    at += 1 + length
  }
  return undefined
}

const printable = (text: string): string => (/^[\x20-\x7e]*$/.test(text.trimEnd()) ? text.trimEnd() : '')

function readMac(bytes: Buffer): string | undefined {
  const isTold = bytes.length === 6 && bytes.some((byte) => byte !== 0)
  return isTold ? [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(':') : undefined
}
