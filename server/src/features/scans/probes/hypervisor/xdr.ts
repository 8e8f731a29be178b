/** What XDR (RFC 4506) puts in four octets at a time; libvirt's flavour of it. */
export function xdr(...parts: readonly (number | string | Buffer | null)[]): Buffer {
  return Buffer.concat(parts.map(encoded))
}

/** Reads what a host wrote. Throws `Malformed` where it ends too soon or claims what it does not hold. */
export interface XdrReader {
  readonly int: () => number
  readonly uint: () => number
  /** 64 bits; as much of it as a number holds exactly, else `Malformed`. */
  readonly hyper: () => number
  readonly bytes: (length: number) => Buffer
  readonly text: () => string
  /** A text that may be absent. */
  readonly maybeText: () => string | undefined
  readonly list: <T>(item: () => T, max: number) => T[]
}

export class Malformed extends Error {}

export function xdrReader(buffer: Buffer): XdrReader {
  let at = 0
  const take = (length: number): Buffer => {
    const padded = length + ((4 - (length % 4)) % 4)
    if (length < 0 || at + padded > buffer.length) throw new Malformed('ends too soon')
    const piece = buffer.subarray(at, at + length)
    at += padded
    return piece
  }
  const uint = (): number => take(4).readUInt32BE()
  const text = (): string => take(uint()).toString('utf8')
  return {
    uint,
    int: () => take(4).readInt32BE(),
    hyper() {
      const value = Number(take(8).readBigUInt64BE())
      if (!Number.isSafeInteger(value)) throw new Malformed('tells a number beyond measure')
      return value
    },
    bytes: take,
    text,
    maybeText: () => (uint() === 0 ? undefined : text()),
    list(item, max) {
      const length = uint()
      // each item takes at least four octets, so a length that cannot be is seen before it costs anything
      if (length > max || length * 4 > buffer.length - at) throw new Malformed('claims a list beyond measure')
      return Array.from({ length }, item)
    },
  }
}

function encoded(part: number | string | Buffer | null): Buffer {
  if (typeof part === 'number') {
    const four = Buffer.alloc(4)
    four.writeInt32BE(part)
    return four
  }
  if (Buffer.isBuffer(part)) return part
  // a text that may be absent begins with whether it is there
  if (part === null) return encoded(0)
  const bytes = Buffer.from(part)
  return Buffer.concat([encoded(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}
