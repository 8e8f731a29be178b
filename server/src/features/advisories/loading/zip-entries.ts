import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { byteSource, type ByteSource } from '#platform/archives/byte-source.ts'
import { FeedError } from '../feeds/feed-error.ts'

interface ZipEntry {
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

interface Header {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly unpacked: number
  /** Sizes and checksum follow the content, in a data descriptor. */
  readonly isTrailed: boolean
}

/** APPNOTE 6.3.10, 4.3.7, 4.3.12, 4.3.14 and 4.3.16. */
const [LOCAL, CENTRAL, END64, END] = [0x04034b50, 0x02014b50, 0x06064b50, 0x06054b50]
const [STORED, DEFLATED] = [0, 8]
/** Smaller entries are inflated in one call, which is many times faster for archives of many small files. */
const SMALL = 1_048_576
const UNKNOWN = 0xffffffff

/**
 * Files of a zip archive in order, read as a stream without the central directory; each must be read before the next.
 * At the end the directory must list as many files, so a truncated archive is detected.
 */
export async function* zipEntries(content: AsyncIterable<Buffer>, bytesMax: number): AsyncIterable<ZipEntry> {
  const source = byteSource(content, (message) => new FeedError(message))
  let count = 0
  for (;;) {
    const signature = (await source.readExactly(4)).readUInt32LE()
    if (signature !== LOCAL) return checkDirectory(source, signature, count)
    const header = await headerOf(source)
    count++
    const body = contentOf(source, header, bytesMax)
    if (header.name.endsWith('/')) for await (const none of body) void none
    else {
      yield { name: header.name, content: body }
      for await (const left of body) void left
    }
  }
}

async function headerOf(source: ByteSource): Promise<Header> {
  const fixed = await source.readExactly(26)
  const name = (await source.readExactly(fixed.readUInt16LE(22))).toString()
  const extra = await source.readExactly(fixed.readUInt16LE(24))
  const flags = fixed.readUInt16LE(2)
  if (flags & 1) throw new FeedError(`${name} is encrypted`)
  const large = sizesOf(extra)
  const [packed, unpacked] = [fixed.readUInt32LE(14), fixed.readUInt32LE(18)]
  return {
    name,
    method: fixed.readUInt16LE(4),
    crc: fixed.readUInt32LE(10),
    unpacked: unpacked === UNKNOWN ? (large[0] ?? unpacked) : unpacked,
    packed: packed === UNKNOWN ? (large[1] ?? packed) : packed,
    isTrailed: (flags & 8) !== 0,
  }
}

/** Sizes of the zip64 extra field: uncompressed and compressed. */
function sizesOf(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1 || at + 20 > extra.length) continue
    return [Number(extra.readBigUInt64LE(at + 4)), Number(extra.readBigUInt64LE(at + 12))]
  }
  return []
}

async function* contentOf(source: ByteSource, header: Header, bytesMax: number): AsyncGenerator<Buffer> {
  const { name, method, isTrailed } = header
  if (method !== STORED && method !== DEFLATED)
    throw new FeedError(`${name}: packing method ${method} is not read`)
  if (isTrailed && method === STORED) throw new FeedError(`${name}: its size is not told before it`)
  let sum = 0
  let bytes = 0
  for await (const chunk of bodyOf(source, header, bytesMax)) {
    sum = crc32(chunk, sum)
    bytes += chunk.length
    if (bytes > bytesMax) throw new FeedError(`${name} unpacks to more than ${bytesMax} bytes`)
    yield chunk
  }
  const crc = isTrailed ? await trailingCrc(source, bytes) : header.crc
  if (crc !== sum) throw new FeedError(`${name}: its checksum does not fit`)
}

function bodyOf(source: ByteSource, header: Header, bytesMax: number): AsyncIterable<Buffer> {
  if (header.method === STORED) return source.pass(header.packed)
  return !header.isTrailed && header.packed <= SMALL && header.unpacked <= 8 * SMALL
    ? inflatedAtOnce(source, header, bytesMax)
    : inflated(source, header.name)
}

async function* inflatedAtOnce(source: ByteSource, header: Header, bytesMax: number): AsyncIterable<Buffer> {
  const packed = await source.readExactly(header.packed)
  try {
    yield inflateRawSync(packed, { maxOutputLength: Math.max(1, Math.min(header.unpacked, bytesMax)) })
  } catch (error) {
    throw broken(header.name, error)
  }
}

/** Deflate data marks its own end; bytes read beyond it are put back. */
async function* inflated(source: ByteSource, name: string): AsyncIterable<Buffer> {
  const engine = createInflateRaw()
  const waiting: Buffer[] = []
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  engine.on('error', (error) => failed.reject(broken(name, error)))
  engine.on('data', (chunk: Buffer) => waiting.push(chunk))
  let isOver = false
  engine.on('end', () => (isOver = true))
  try {
    while (!isOver) {
      const chunk = await source.some()
      if (!chunk) throw new FeedError(`${name}: the archive is cut off`)
      const before = engine.bytesWritten
      const { promise, resolve } = Promise.withResolvers<void>()
      engine.write(chunk, () => resolve())
      const ended = new Promise<void>((done) => engine.once('end', done))
      await Promise.race([promise, ended, failed.promise])
      const used = engine.bytesWritten - before
      yield* waiting.splice(0)
      if (used < chunk.length) {
        if (!isOver) await Promise.race([ended, failed.promise])
        source.back(chunk.subarray(used))
        break
      }
    }
    yield* waiting.splice(0)
  } finally {
    engine.destroy()
  }
}

/** The data descriptor may have a signature and 64-bit sizes; which of these is decided by the size that was read. */
async function trailingCrc(source: ByteSource, bytes: number): Promise<number> {
  const first = await source.readExactly(4)
  const isSigned = first.readUInt32LE() === 0x08074b50
  const crc = (isSigned ? await source.readExactly(4) : first).readUInt32LE()
  const sizes = await source.readExactly(8)
  if (sizes.readUInt32LE(4) !== bytes % 2 ** 32) await source.readExactly(8)
  return crc
}

const DIRECTORY_BYTES_MAX = 1_073_741_824

/** Checks the central directory and its end; archives of more than 65,535 files have a zip64 end record. */
async function checkDirectory(source: ByteSource, first: number, count: number): Promise<void> {
  let signature = first
  let listed = 0
  let bytes = 0
  while (signature === CENTRAL) {
    const fixed = await source.readExactly(42)
    const length = fixed.readUInt16LE(24) + fixed.readUInt16LE(26) + fixed.readUInt16LE(28)
    await source.readExactly(length)
    listed++
    bytes += 46 + length
    if (bytes > DIRECTORY_BYTES_MAX) throw new FeedError('the directory of the archive has no end')
    signature = (await source.readExactly(4)).readUInt32LE()
  }
  if (signature !== END && signature !== END64) throw new FeedError('the archive is broken')
  if (listed !== count) throw new FeedError(`the archive has ${count} files and lists ${listed}`)
}

const broken = (name: string, error: unknown): FeedError =>
  new FeedError(`${name}: the packing is broken (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
