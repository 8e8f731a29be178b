import { crc32, deflateRawSync } from 'node:zlib'

/** Deliberate faults of an archive. */
interface Faults {
  /** Number of files that the directory lists, if different. */
  readonly directory?: number
  readonly crc?: number
  /** Uncompressed size that is stated. */
  readonly size?: number
  /** Sizes and checksums follow the contents. */
  readonly trailed?: true
  /** Contents as they are, their sizes in the field for large ones (zip64). */
  readonly large?: true
}

/** Of a size that stands elsewhere. */
const UNKNOWN = 0xffffffff

/** Builds a zip archive. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, faults: Faults = {}): Buffer {
  const entries = Object.entries(files).map(([name, content]) => entryOf(name, Buffer.from(content), faults))
  const listed = entries.slice(0, faults.directory ?? entries.length)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(listed.length, 10)
  return Buffer.concat([...entries.map((it) => it.local), ...listed.map((it) => it.central), end])
}

function entryOf(
  name: string,
  content: Buffer,
  { crc, size, trailed, large }: Faults,
): { local: Buffer; central: Buffer } {
  const packed = large ? content : deflateRawSync(content)
  const sum = crc ?? crc32(content)
  const header = Buffer.alloc(26)
  header.writeUInt16LE(20, 0)
  header.writeUInt16LE(trailed ? 8 : 0, 2)
  header.writeUInt16LE(large ? 0 : 8, 4)
  if (!trailed) {
    header.writeUInt32LE(sum, 10)
    header.writeUInt32LE(large ? UNKNOWN : packed.length, 14)
    header.writeUInt32LE(large ? UNKNOWN : (size ?? content.length), 18)
  }
  header.writeUInt16LE(Buffer.byteLength(name), 22)
  const extra = Buffer.alloc(large ? 20 : 0)
  if (large) {
    extra.writeUInt16LE(1)
    extra.writeUInt16LE(16, 2)
    extra.writeBigUInt64LE(BigInt(content.length), 4)
    extra.writeBigUInt64LE(BigInt(packed.length), 12)
  }
  header.writeUInt16LE(extra.length, 24)
  const trailer = Buffer.alloc(trailed ? 16 : 0)
  if (trailed) {
    trailer.writeUInt32LE(0x08074b50)
    trailer.writeUInt32LE(sum, 4)
    trailer.writeUInt32LE(packed.length, 8)
    trailer.writeUInt32LE(content.length, 12)
  }
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50)
  central.writeUInt16LE(Buffer.byteLength(name), 28)
  return {
    local: Buffer.concat([Buffer.from('504b0304', 'hex'), header, Buffer.from(name), extra, packed, trailer]),
    central: Buffer.concat([central, Buffer.from(name)]),
  }
}
