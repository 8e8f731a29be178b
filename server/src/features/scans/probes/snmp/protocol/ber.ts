import type { Oid } from './oid.ts'

/** The part of the Basic Encoding Rules (ITU-T X.690) that SNMP uses (RFC 3417, 8): definite lengths only. */
export const tags = {
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  address: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  timeTicks: 0x43,
  opaque: 0x44,
  counter64: 0x46,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
} as const

/** Bytes that are not what they should be. They are passed over, like a packet that was lost. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}

/** RFC 2578, 3.5: no identifier is longer, no arc greater. */
const ARCS_MAX = 128
const ARC_MAX = 0xffff_ffff

/** Reads elements one after the other. Never looks beyond its end, whatever lengths the bytes claim. */
export class Reader {
  readonly bytes: Buffer
  #at: number
  readonly #end: number

  constructor(bytes: Buffer, at = 0, end: number = bytes.length) {
    this.bytes = bytes
    this.#at = at
    this.#end = end
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end
  }

  /** The tag of the next element; -1 at the end. */
  get tag(): number {
    return this.isAtEnd ? -1 : this.#byte(this.#at)
  }

  /** The reader of what is inside the next element, which must have this tag. */
  enter(tag: number): Reader {
    const [from, to] = this.#element(tag)
    return new Reader(this.bytes, from, to)
  }

  /** The contents of the next element: a view, not a copy. */
  octets(tag: number = tags.octets): Buffer {
    return this.bytes.subarray(...this.#element(tag))
  }

  /** Signed for INTEGER, unsigned for all others; of 64 bits the precision of a number is kept. */
  integer(tag: number = tags.integer): number {
    const [from, to] = this.#element(tag)
    const length = to - from
    if (length === 0 || length > 9) throw new Malformed('an integer of no sensible length')
    let value = tag === tags.integer && this.#byte(from) & 0x80 ? -1 : 0
    for (let at = from; at < to; at++) value = value * 256 + this.#byte(at)
    return value
  }

  oid(): Oid {
    const [from, to] = this.#element(tags.oid)
    const arcs: number[] = []
    let arc = 0
    for (let at = from; at < to; at++) {
      const byte = this.#byte(at)
      arc = arc * 128 + (byte & 0x7f)
      if (arc > ARC_MAX + 80 || arcs.length > ARCS_MAX)
        throw new Malformed('an object identifier without end')
      if (byte & 0x80) continue
      if (arcs.length === 0) arcs.push(...firstTwo(arc))
      else arcs.push(arc)
      arc = 0
    }
    if (to > from && this.#byte(to - 1) & 0x80) throw new Malformed('an object identifier that breaks off')
    return arcs
  }

  /** Where the contents of the next element begin and end; moves behind it. */
  #element(tag: number): [from: number, to: number] {
    if (this.tag !== tag)
      throw new Malformed(`element ${this.tag.toString(16)} where ${tag.toString(16)} belongs`)
    let at = this.#at + 1
    let length = this.#byte(at++)
    if (length & 0x80) {
      const octets = length & 0x7f
      if (octets === 0 || octets > 4) throw new Malformed('a length of no sensible form')
      length = 0
      for (let i = 0; i < octets; i++) length = length * 256 + this.#byte(at++)
    }
    if (at + length > this.#end) throw new Malformed('an element that is longer than what holds it')
    this.#at = at + length
    return [at, at + length]
  }

  #byte(at: number): number {
    const byte = at < this.#end ? this.bytes[at] : undefined
    if (byte === undefined) throw new Malformed('breaks off')
    return byte
  }
}

const firstTwo = (arc: number): [number, number] =>
  arc < 40 ? [0, arc] : arc < 80 ? [1, arc - 40] : [2, arc - 80]

export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, it) => sum + it.length, 0)
  return Buffer.concat([Buffer.from([tag]), lengthOf(length), ...contents])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  return length < 0x100
    ? Buffer.from([0x81, length])
    : Buffer.from([0x83, length >> 16, (length >> 8) & 0xff, length & 0xff])
}

/** Of 32 bits, signed. */
export function integer(value: number): Buffer {
  const octets = Buffer.alloc(4)
  octets.writeInt32BE(value)
  let from = 0
  const isSpare = (at: number): boolean =>
    (octets[at] === 0 && (octets[at + 1] ?? 0) < 0x80) ||
    (octets[at] === 0xff && (octets[at + 1] ?? 0) >= 0x80)
  while (from < 3 && isSpare(from)) from++
  return element(tags.integer, octets.subarray(from))
}

export const octets = (bytes: Uint8Array | string): Buffer => element(tags.octets, Buffer.from(bytes))

export function objectIdentifier([first = 0, second = 0, ...rest]: Oid): Buffer {
  return element(tags.oid, Buffer.from([first * 40 + second, ...rest].flatMap(septets)))
}

function septets(arc: number): number[] {
  const digits = [arc & 0x7f]
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift((left & 0x7f) | 0x80)
  return digits
}
