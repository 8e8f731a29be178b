import { plainText } from '../services/plain-text.ts'

/** What a device says of itself (MODBUS Application Protocol 1.1b3, 6.21). */
export interface ModbusIdentity {
  readonly vendor?: string
  readonly productCode?: string
  readonly revision?: string
  readonly url?: string
  readonly product?: string
  readonly model?: string
  /** It speaks Modbus and does not tell who it is: the exception code, such as 1, illegal function. */
  readonly exception?: number
}

const READ_DEVICE_IDENTIFICATION = 0x2b
const ENCAPSULATED_INTERFACE = 0x0e
/** Basic and regular objects; a device that has the basic ones alone answers with those. */
const REGULAR = 0x02
/** The device at the other end of the connection itself (MODBUS Messaging on TCP/IP 1.0b, 4.4.2.2). */
const UNIT = 0xff
const TRANSACTION = 1
const HEADER_OCTETS = 7
/** Up to and with the field of the length. */
const LENGTH_OCTETS = 6
const EXCEPTION = 0x80
const LIST_AT = HEADER_OCTETS + 7

const names = ['vendor', 'productCode', 'revision', 'url', 'product', 'model'] as const

/** Read Device Identification (43/14): a function that changes nothing and reads no process value. */
export function modbusQuestion(): Buffer {
  const pdu = [READ_DEVICE_IDENTIFICATION, ENCAPSULATED_INTERFACE, REGULAR, 0]
  return Buffer.from([0, TRANSACTION, 0, 0, 0, pdu.length + 1, UNIT, ...pdu])
}

export const isModbusAnswer = (received: Buffer): boolean =>
  received.length >= LENGTH_OCTETS && received.length >= LENGTH_OCTETS + received.readUInt16BE(4)

/** Undefined: it is no answer of Modbus. */
export function readModbus(received: Buffer): ModbusIdentity | undefined {
  if (received.length <= HEADER_OCTETS + 1) return undefined
  const isOurs = received.readUInt16BE(0) === TRANSACTION && received.readUInt16BE(2) === 0
  const code = received.readUInt8(HEADER_OCTETS)
  if (isOurs && code === (READ_DEVICE_IDENTIFICATION | EXCEPTION))
    return { exception: received.readUInt8(HEADER_OCTETS + 1) }
  if (!isOurs || code !== READ_DEVICE_IDENTIFICATION || received.length < LIST_AT) return undefined
  const end = Math.min(received.length, LENGTH_OCTETS + received.readUInt16BE(4))
  const found: Partial<Record<(typeof names)[number], string>> = {}
  for (let at = LIST_AT, left = received.readUInt8(LIST_AT - 1); left > 0 && at + 2 <= end; left--) {
    const [id = 0, length = 0] = received.subarray(at, at + 2)
    const name = names[id]
    const text = plainText(received.subarray(at + 2, Math.min(end, at + 2 + length)).toString('latin1'))
    if (name !== undefined && text !== undefined) found[name] = text
    at += 2 + length
  }
  return found
}
