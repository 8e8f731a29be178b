import { isUtf8 } from 'node:buffer'
import { invalid } from '#platform/errors.ts'
import { HEAD_LENGTH } from '../formats/format.ts'

export interface Text {
  /** The first characters, to tell the format by. */
  readonly head: string
  /** UTF-8 without byte order mark, from the beginning. */
  readonly content: AsyncIterable<Buffer>
}

type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'

/**
 * Brings a file to UTF-8. The byte order mark decides (Unicode 16, section 23.8), then
 * the NUL bytes of UTF-16 without one, which is how some programs of Windows write tables. Without either it is UTF-8,
 * or Windows-1252 when what is not ASCII is no UTF-8 anywhere in the first 64 KiB of it. Refuses an empty file.
 */
export async function asUtf8(bytes: AsyncIterable<Uint8Array>): Promise<Text> {
  const source = bytes[Symbol.asyncIterator]()
  const first = await atLeast(HEAD_LENGTH, source, [])
  if (first.length === 0) throw invalid('file', 'is empty')
  const told = encodingOf(first)
  const content =
    told === undefined
      ? utf8OrWindows(first, source)
      : told === 'utf-8'
        ? withoutMark(first, source)
        : transcoded(told, first, source)
  const head = new TextDecoder(told ?? (looksLikeWindows(first) ? 'windows-1252' : 'utf-8'))
  return { head: head.decode(first.subarray(0, HEAD_LENGTH)), content }
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

function encodingOf(first: Buffer): Encoding | undefined {
  if (first.indexOf(UTF8_MARK) === 0) return 'utf-8'
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le'
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be'
  return unmarkedUtf16(first)
}

/** Text of mostly Latin letters has a NUL in every second place; no other text has one. */
function unmarkedUtf16(first: Buffer): Encoding | undefined {
  const pairs = Math.floor(Math.min(first.length, 512) / 2)
  if (pairs < 4) return undefined
  const nulsAt = (offset: number): number =>
    Array.from({ length: pairs }, (_, i) => first[2 * i + offset]).filter((byte) => byte === 0).length
  const [even, odd] = [nulsAt(0), nulsAt(1)]
  if (odd > pairs * 0.7 && even === 0) return 'utf-16le'
  return even > pairs * 0.7 && odd === 0 ? 'utf-16be' : undefined
}

const SAMPLE_BYTES = 65_536

/** Passes ASCII on; decides when the first other byte comes, by what follows it. */
async function* utf8OrWindows(first: Buffer, source: AsyncIterator<Uint8Array>): AsyncIterable<Buffer> {
  let next: Buffer | undefined = first
  while (next !== undefined && isAscii(next)) {
    yield next
    next = await bufferOf(source)
  }
  if (next === undefined) return
  const sample = await atLeast(SAMPLE_BYTES, source, [next])
  if (looksLikeWindows(sample)) return yield* transcoded('windows-1252', sample, source)
  yield sample
  yield* rest(source)
}

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80)

/** Bytes beyond ASCII, and none of them the UTF-8 of a character. */
function looksLikeWindows(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    if (length > 1 && (at + length > bytes.length || isUtf8(bytes.subarray(at, at + length)))) return false
  }
  return true
}

async function* withoutMark(first: Buffer, source: AsyncIterator<Uint8Array>): AsyncIterable<Buffer> {
  yield first.subarray(first.indexOf(UTF8_MARK) === 0 ? UTF8_MARK.length : 0)
  yield* rest(source)
}

async function* transcoded(
  encoding: Encoding,
  first: Buffer,
  source: AsyncIterator<Uint8Array>,
): AsyncIterable<Buffer> {
  const decoder = new TextDecoder(encoding)
  yield Buffer.from(decoder.decode(first, { stream: true }))
  for await (const chunk of rest(source)) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

async function atLeast(
  length: number,
  source: AsyncIterator<Uint8Array>,
  begun: readonly Buffer[],
): Promise<Buffer> {
  const chunks = [...begun]
  let bytes = begun.reduce((sum, chunk) => sum + chunk.length, 0)
  while (bytes < length) {
    const next = await bufferOf(source)
    if (next === undefined) break
    chunks.push(next)
    bytes += next.length
  }
  return Buffer.concat(chunks)
}

async function* rest(source: AsyncIterator<Uint8Array>): AsyncIterable<Buffer> {
  for (let next = await bufferOf(source); next !== undefined; next = await bufferOf(source)) yield next
}

async function bufferOf(source: AsyncIterator<Uint8Array>): Promise<Buffer | undefined> {
  const next = await source.next()
  return next.done ? undefined : Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
}
