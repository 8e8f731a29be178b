import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { FeedError } from '../feeds/feed-error.ts'
import { tarEntries } from '#platform/archives/tar-entries.ts'
import { zipEntries } from './zip-entries.ts'

/** A file after unpacking. */
export interface Unpacked {
  /** Path in the archive; for a file that is not an archive the given name. */
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

/** Limit of unpacked bytes of one file, against decompression bombs; larger than any feed. */
export const UNPACKED_BYTES_MAX = 17_179_869_184
/** Maximum nesting of archives: the CVE list is a zip in a zip. */
const NESTING_MAX = 3
const HEAD_BYTES = 262

/**
 * Unpacks by magic number: gzip, Zstandard, zip and tar, also nested. Contents must be read in order. Throws a
 * FeedError for other or broken compression, and for more than `bytesMax` bytes.
 */
export async function* unpack(
  { name, content }: Unpacked,
  bytesMax = UNPACKED_BYTES_MAX,
  nesting = 0,
): AsyncIterable<Unpacked> {
  const { head, whole } = await beginningOf(content)
  const kind = kindOf(head)
  if (kind === 'plain') return yield { name, content: limited(whole, bytesMax, name) }
  if (typeof kind !== 'string')
    throw new FeedError(`${name} is packed with ${kind.unknown}, which is not read; repack it with gzip`)
  if (nesting >= NESTING_MAX) throw new FeedError(`${name} is an archive in too many archives`)
  if (kind === 'gzip' || kind === 'zstd') {
    const inner = {
      name: name.replace(/\.(gz|zst)$/, ''),
      content: limited(through(kind, whole, name), bytesMax, name),
    }
    return yield* unpack(inner, bytesMax, nesting + 1)
  }
  const entries =
    kind === 'zip' ? zipEntries(whole, bytesMax) : tarEntries(whole, (message) => new FeedError(message))
  for await (const entry of entries) {
    if (/\.(zip|gz|zst)$/.test(entry.name)) yield* unpack(entry, bytesMax, nesting + 1)
    else yield entry
  }
}

async function beginningOf(
  content: AsyncIterable<Buffer>,
): Promise<{ head: Buffer; whole: AsyncIterable<Buffer> }> {
  const source = content[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let bytes = 0
  while (bytes < HEAD_BYTES) {
    const next = await source.next()
    if (next.done) break
    first.push(next.value)
    bytes += next.value.length
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* first
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { head: Buffer.concat(first), whole: all() }
}

type Kind = 'plain' | 'gzip' | 'zstd' | 'zip' | 'tar' | { readonly unknown: string }

const MAGIC: readonly (readonly [string, Kind])[] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
  ['504b0304', 'zip'],
  ['504b0506', 'zip'],
  ['fd377a585a00', { unknown: 'xz' }],
  ['425a68', { unknown: 'bzip2' }],
  ['377abcaf271c', { unknown: '7-Zip' }],
]

function kindOf(head: Buffer): Kind {
  const hex = head.subarray(0, 6).toString('hex')
  const found = MAGIC.find(([magic]) => hex.startsWith(magic))
  if (found) return found[1]
  return head.subarray(257, 262).toString('latin1') === 'ustar' ? 'tar' : 'plain'
}

async function* through(
  kind: 'gzip' | 'zstd',
  content: AsyncIterable<Buffer>,
  name: string,
): AsyncIterable<Buffer> {
  const unpacker = kind === 'gzip' ? createGunzip() : createZstdDecompress()
  const source = Readable.from(content)
  source.on('error', (error) => unpacker.destroy(error))
  source.pipe(unpacker)
  try {
    for await (const chunk of unpacker) yield chunk as Buffer
  } catch (error) {
    if (!isPackingError(error)) throw error
    throw new FeedError(
      `${name}: the packing is broken or cut off (${(error as NodeJS.ErrnoException).code})`,
    )
  } finally {
    source.destroy()
    unpacker.destroy()
  }
}

const isPackingError = (error: unknown): boolean =>
  /^(Z_|ZSTD_|ERR_ZSTD)/.test((error as NodeJS.ErrnoException).code ?? '')

async function* limited(
  content: AsyncIterable<Buffer>,
  bytesMax: number,
  name: string,
): AsyncIterable<Buffer> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new FeedError(`${name} unpacks to more than ${bytesMax} bytes`)
    yield chunk
  }
}
