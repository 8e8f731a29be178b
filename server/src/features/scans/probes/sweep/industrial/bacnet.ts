import { Channel } from '../../snmp/protocol/udp-channel.ts'
import type { TouchCounter } from '../../touches/touch-counter.ts'
import { plainText } from '../services/plain-text.ts'

/** What the device object says (ANSI/ASHRAE 135, 12.11). */
export interface BacnetDevice {
  readonly instance?: number
  readonly vendor?: string
  /** The identifier that ASHRAE gave its maker; asked only where the maker's name is missing. */
  readonly vendorId?: number
  readonly model?: string
  readonly name?: string
  readonly firmware?: string
  readonly software?: string
  /** It speaks BACnet and did not answer the question: `error`, `reject` or `abort`. */
  readonly refused?: string
}

export interface BacnetContext {
  readonly signal: AbortSignal
  /** Waits until one packet may leave to the host. */
  readonly acquire: () => Promise<void>
  readonly touches: TouchCounter | undefined
  /** 47808 unless given. */
  readonly port?: number
}

const PORT = 47_808
const ANSWER_MS = 1_500
const OCTETS_MAX = 65_536
const DEVICE = 8
/** The device that is asked, whatever its instance is (135, 15.5.2). */
const ANY_INSTANCE = 0x3f_ffff
const OBJECT_IDENTIFIER = 75
const VENDOR_IDENTIFIER = 120
const texts = { vendor: 121, model: 70, name: 77, firmware: 44, software: 12 } as const

/**
 * Reads properties of the device object, one packet each, and no more after one without an answer. No Who-Is: its answer
 * is a broadcast to all devices. Undefined: nothing answers.
 */
export async function askBacnet(address: string, context: BacnetContext): Promise<BacnetDevice | undefined> {
  const { signal, acquire, touches, port = PORT } = context
  await acquire()
  let channel: Channel | undefined
  const found: { -readonly [K in keyof BacnetDevice]: BacnetDevice[K] } = {}
  try {
    const limits = { octets: OCTETS_MAX, ms: ANSWER_MS * 8, touches }
    const open = (channel = await Channel.open({ address, port }, signal, limits))
    const ask = (invoke: number, property: number): Promise<Answer> =>
      open.exchange(bacnetQuestion(invoke, property), { firstMs: ANSWER_MS, tries: 1 }, (message) =>
        readBacnet(message, invoke),
      )
    const first = await ask(0, OBJECT_IDENTIFIER)
    if (first.refused !== undefined) return { refused: first.refused }
    if (typeof first.value === 'number') found.instance = first.value
    for (const [at, [name, property]] of Object.entries(texts).entries()) {
      await acquire()
      const { value } = await ask(at + 1, property)
      if (typeof value === 'string' && value !== '') found[name as keyof typeof texts] = value
    }
    if (found.vendor === undefined) {
      await acquire()
      const { value } = await ask(Object.keys(texts).length + 1, VENDOR_IDENTIFIER)
      if (typeof value === 'number') found.vendorId = value
    }
  } catch {
    signal.throwIfAborted()
  } finally {
    channel?.close()
  }
  return Object.keys(found).length > 0 ? found : undefined
}

interface Answer {
  /** A text, a number, or the instance of an object. */
  readonly value?: string | number
  readonly refused?: string
}

/** ReadProperty of the device object (135, 15.5) in an original unicast (annex J). */
export function bacnetQuestion(invoke: number, property: number): Buffer {
  const object = Buffer.alloc(4)
  object.writeUInt32BE(((DEVICE << 22) | ANY_INSTANCE) >>> 0)
  const apdu = Buffer.from([0x00, 0x05, invoke, 0x0c, 0x0c, ...object, 0x19, property])
  return Buffer.from([0x81, 0x0a, 0, apdu.length + 6, 0x01, 0x04, ...apdu])
}

const refusals: Readonly<Record<number, string>> = { 5: 'error', 6: 'reject', 7: 'abort' }
const COMPLEX_ACK = 3
const READ_PROPERTY = 12

/** Undefined: it does not answer the question with this number. Stands any bytes. */
export function readBacnet(message: Buffer, invoke: number): Answer | undefined {
  const at = apduAt(message)
  if (at === undefined) return undefined
  const [head = 0, answered, service] = message.subarray(at)
  if (answered !== invoke) return undefined
  const refused = refusals[head >> 4]
  if (refused !== undefined) return { refused }
  if (head >> 4 !== COMPLEX_ACK || service !== READ_PROPERTY) return undefined
  // service, object (5 octets), property (2), then the value between an opening and a closing tag
  const opening = at + 3 + 5 + 2
  return message[opening] === 0x3e ? valueOf(message.subarray(opening + 1)) : {}
}

/** Behind the addresses that a router adds (135, 6.2). */
function apduAt(message: Buffer): number | undefined {
  if (message.length < 8 || message[0] !== 0x81 || message[4] !== 0x01) return undefined
  const control = message.readUInt8(5)
  let at = 6
  for (const bit of [0x20, 0x08]) if ((control & bit) !== 0) at += 3 + (message[at + 2] ?? 0)
  return (control & 0x20) !== 0 ? at + 1 : at
}

const OBJECT_IDENTIFIER_TAG = 0xc4
const UNSIGNED_TAG = 0x2
const TEXT_TAG = 0x7
const encodings: Readonly<Record<number, BufferEncoding>> = { 0: 'utf8', 5: 'latin1' }

function valueOf(value: Buffer): Answer {
  const [tag = 0, second = 0] = value
  if (tag === OBJECT_IDENTIFIER_TAG && value.length >= 5)
    return { value: value.readUInt32BE(1) & ANY_INSTANCE }
  if (tag >> 4 === UNSIGNED_TAG) {
    const octets = tag & 7
    return octets >= 1 && octets <= 4 && value.length > octets ? { value: value.readUIntBE(1, octets) } : {}
  }
  if (tag >> 4 !== TEXT_TAG) return {}
  const isLong = (tag & 7) === 5
  const length = !isLong ? tag & 7 : second === 254 && value.length >= 4 ? value.readUInt16BE(2) : second
  const start = !isLong ? 1 : second === 254 ? 4 : 2
  const encoding = encodings[value[start] ?? -1]
  const text = encoding && plainText(value.subarray(start + 1, start + length).toString(encoding))
  return text === undefined ? {} : { value: text }
}
