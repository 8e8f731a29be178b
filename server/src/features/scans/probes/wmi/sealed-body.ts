import type { Sealed, Sealing } from './ntlm-sealing.ts'

/**
 * The body of a request whose message is sealed, after [MS-WSMV] 2.2.9.1: two parts, the second of which holds the
 * length of the signature, the signature and the sealed envelope.
 */
export const SEALED_TYPE =
  'multipart/encrypted;protocol="application/HTTP-SPNEGO-session-encrypted";boundary="Encrypted Boundary"'

export function sealedBody(sealing: Sealing, envelope: string): Buffer {
  const plain = Buffer.from(envelope)
  const { signature, data } = sealing.seal(plain)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(signature.length)
  const head = [
    BOUNDARY,
    '\tContent-Type: application/HTTP-SPNEGO-session-encrypted',
    `\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=${plain.length}`,
    BOUNDARY,
    '\tContent-Type: application/octet-stream',
    '',
  ].join('\r\n')
  return Buffer.concat([Buffer.from(head), length, signature, data, Buffer.from(`${BOUNDARY}--\r\n`)])
}

/** The envelopes within, in order; throws a reason when one was not sealed by the server as its next. */
export function openedBody(sealing: Sealing, body: Buffer): string {
  const opened = [...partsOf(body)].map((sealed) => {
    const plain = sealing.open(sealed)
    if (!plain) throw new Error('was not sealed by the server it came from')
    return plain
  })
  if (opened.length === 0) throw new Error('holds no sealed message')
  return Buffer.concat(opened).toString('utf8')
}

const BOUNDARY = '--Encrypted Boundary'
const OCTETS = /\tContent-Type: application\/octet-stream\r\n/gi.source

/** Each sealed part is as long as the part before it says; so octets that look like a boundary do no harm. */
function* partsOf(body: Buffer): Generator<Sealed> {
  const text = body.toString('latin1')
  const parts = new RegExp(`;Length=(\\d+)\\r\\n--Encrypted Boundary\\r\\n${OCTETS}`, 'giy')
  for (let at = text.indexOf(';Length='); at >= 0; at = text.indexOf(';Length=', parts.lastIndex)) {
    parts.lastIndex = at
    const found = parts.exec(text)
    if (!found) throw new Error('has a part that is not as sealed messages are')
    const signatureAt = at + found[0].length + 4
    if (signatureAt > body.length) throw new Error('is cut off')
    const dataAt = signatureAt + body.readUInt32LE(signatureAt - 4)
    const end = dataAt + Number(found[1])
    if (end > body.length) throw new Error('is cut off')
    yield { signature: body.subarray(signatureAt, dataAt), data: body.subarray(dataAt, end) }
    parts.lastIndex = end
  }
}
