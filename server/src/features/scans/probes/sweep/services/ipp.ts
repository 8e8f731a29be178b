import { httpParts } from './http.ts'
import { plainText } from './plain-text.ts'

/** The attributes that a printer reports (RFC 8011). */
export interface IppPrinter {
  readonly makeAndModel?: string
  readonly info?: string
  /** IEEE 1284. */
  readonly deviceId?: string
  readonly firmware?: string
}

const wanted: Readonly<Record<string, keyof IppPrinter | undefined>> = {
  'printer-make-and-model': 'makeAndModel',
  'printer-info': 'info',
  'printer-device-id': 'deviceId',
  'printer-firmware-string-version': 'firmware',
}

const GET_PRINTER_ATTRIBUTES = 0x000b
const tags = { operation: 1, end: 3, keyword: 0x44, uri: 0x45, charset: 0x47, language: 0x48 } as const

/** Get-Printer-Attributes, which only reads. */
export function ippQuestion(address: string): Buffer {
  const host = address.includes(':') ? `[${address}]` : address
  const body = Buffer.concat([
    Buffer.from([2, 0, GET_PRINTER_ATTRIBUTES >> 8, GET_PRINTER_ATTRIBUTES, 0, 0, 0, 1, tags.operation]),
    attribute(tags.charset, 'attributes-charset', 'utf-8'),
    attribute(tags.language, 'attributes-natural-language', 'en'),
    attribute(tags.uri, 'printer-uri', `ipp://${host}/ipp/print`),
    ...Object.keys(wanted).map((name, i) =>
      attribute(tags.keyword, i === 0 ? 'requested-attributes' : '', name),
    ),
    Buffer.from([tags.end]),
  ])
  const head = `POST /ipp/print HTTP/1.1\r\nHost: ${host}:631\r\nUser-Agent: Rollcall\r\nContent-Type: application/ipp\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

function attribute(tag: number, name: string, value: string): Buffer {
  const sized = (text: string): Buffer => {
    const bytes = Buffer.from(text)
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
  }
  return Buffer.concat([Buffer.from([tag]), sized(name), sized(value)])
}

/** Undefined: no printer answers there. */
export function readIpp(received: Buffer): IppPrinter | undefined {
  const { status, header, body } = httpParts(received)
  if (status !== 200 || header('content-type') !== 'application/ipp') return undefined
  const isChunked = header('transfer-encoding')?.toLowerCase() === 'chunked'
  const found = attributesIn(isChunked ? unchunked(body) : body)
  return Object.keys(found).length > 0 ? found : undefined
}

const HEAD_OCTETS = 8
/** Tags below are delimiters of groups, without name or value. */
const FIRST_VALUE_TAG = 0x10

function attributesIn(bytes: Buffer): IppPrinter {
  const found: Partial<Record<keyof IppPrinter, string>> = {}
  let at = HEAD_OCTETS
  while (at < bytes.length) {
    const tag = bytes[at++] ?? tags.end
    if (tag === tags.end) break
    if (tag < FIRST_VALUE_TAG) continue
    const name = sizedAt(bytes, at)
    const value = name && sizedAt(bytes, at + 2 + name.length)
    if (!value) break
    at += 4 + name.length + value.length
    const field = wanted[name.toString('latin1')]
    const text = field && plainText(value)
    if (field && text !== undefined) found[field] = text
  }
  return found
}

function sizedAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + 2 > bytes.length) return undefined
  const end = at + 2 + bytes.readUInt16BE(at)
  return end > bytes.length ? undefined : bytes.subarray(at + 2, end)
}

/** RFC 9112, 7.1; breaks off where the chunks do. */
function unchunked(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(
      body.subarray(at, end < 0 ? at : Math.min(end, at + 9)).toString('latin1'),
      16,
    )
    if (!(size > 0)) break
    pieces.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(pieces)
}
