import { invalid } from '#platform/errors.ts'
import { HEAD_LENGTH } from './formats/format.ts'

export interface Text {
  /** The first characters, to tell the format by. */
  readonly head: string
  /** UTF-8 without byte order mark, from the beginning. */
  readonly content: AsyncIterable<Buffer>
}

/**
 * Brings a file to UTF-8. The byte order mark decides (Unicode 16, section 23.8): spreadsheets put one before
 * UTF-8, and redirected output of Windows PowerShell is UTF-16. Refuses an empty file.
 */
export async function asUtf8(bytes: AsyncIterable<Uint8Array>): Promise<Text> {
  const source = bytes[Symbol.asyncIterator]()
  const first = await firstBytes(source)
  if (first.length === 0) throw invalid('file', 'is empty')
  const encoding = encodingOf(first)
  const content = encoding === 'utf-8' ? withoutMark(first, source) : transcoded(encoding, first, source)
  const head = new TextDecoder(encoding).decode(first.subarray(0, HEAD_LENGTH))
  return { head, content }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

function encodingOf(first: Buffer): Encoding {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le'
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

async function firstBytes(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let first = Buffer.alloc(0)
  while (first.length < HEAD_LENGTH) {
    const next = await source.next()
    if (next.done) break
    first = Buffer.concat([first, next.value])
  }
  return first
}

async function* withoutMark(first: Buffer, source: AsyncIterator<Uint8Array>): AsyncIterable<Buffer> {
  yield first.subarray(first.indexOf(UTF8_MARK) === 0 ? UTF8_MARK.length : 0)
  for await (const chunk of rest(source)) yield chunk
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

async function* rest(source: AsyncIterator<Uint8Array>): AsyncIterable<Buffer> {
  for (let next = await source.next(); !next.done; next = await source.next()) {
    yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
  }
}
