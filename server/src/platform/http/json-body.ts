import { invalid, invalidBody, tooLarge, unsupportedMediaType } from '../errors.ts'

/** Largest body read. */
const BYTES_MAX = 1_048_576
/** A body over the limit is read and discarded up to this size, so that the client reads the 413 instead of a reset. */
const BYTES_DISCARDED_MAX = 16 * BYTES_MAX
/** Deeper values would exhaust the stack of whoever walks them next. */
const DEPTH_MAX = 64

/** Reads a body as JSON (RFC 8259) in UTF-8. Text that PostgreSQL cannot store is refused, naming the field. */
export async function readJsonBody(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  stream: AsyncIterable<Buffer>,
): Promise<unknown> {
  if (!isPlainUtf8(headers)) throw unsupportedMediaType()
  const bytes = await readBytes(stream)
  return bytes.length === 0 ? undefined : parseJson(bytes)
}

export function parseJson(bytes: Buffer): unknown {
  const value = decode(bytes)
  refuseUnstorable(value)
  return value
}

function isPlainUtf8(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const charset = /;\s*charset="?([^";\s]*)/i.exec(String(headers['content-type']))?.[1]
  const coding = headers['content-encoding'] ?? 'identity'
  return coding === 'identity' && (charset === undefined || /^utf-?8$/i.test(charset))
}

async function readBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length <= BYTES_MAX) chunks.push(chunk)
    if (length > BYTES_DISCARDED_MAX) break
  }
  if (length > BYTES_MAX) throw tooLarge(BYTES_MAX)
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidBody('body: is not valid UTF-8')
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidBody('body: is not valid JSON')
  }
}

interface Place {
  readonly value: unknown
  readonly path: string
  readonly depth: number
}

/** Walks without recursion: the depth is not known to be harmless before. */
function refuseUnstorable(root: unknown): void {
  const open: Place[] = [{ value: root, path: '', depth: 0 }]
  for (let place = open.pop(); place; place = open.pop()) {
    const { value, path, depth } = place
    const field = path || 'body'
    if (depth > DEPTH_MAX) throw invalidBody(`body: is nested more than ${DEPTH_MAX} levels deep`)
    if (typeof value === 'string') refuseUnstorableText(field, value)
    if (typeof value === 'number' && !Number.isFinite(value)) throw invalid(field, 'the number is too large')
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      refuseUnstorableText(field, key)
      open.push({ value: inner, path: path ? `${path}.${key}` : key, depth: depth + 1 })
    }
  }
}

/** PostgreSQL keeps neither NUL nor half of a surrogate pair (its manual, §8.14 and §24.3). */
export function refuseUnstorableText(field: string, text: string): void {
  if (text.includes('\0')) throw invalid(field, 'must not contain the NUL character')
  if (!text.isWellFormed()) throw invalid(field, 'must not contain half of a surrogate pair')
}
