import { Refusal } from '../errors.ts'

/** Content in pieces of at least `bytes` each, but for the last; each piece can be a row of its own. */
export async function* inChunks(content: AsyncIterable<Buffer>, bytes: number): AsyncIterable<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const part of content) {
    parts.push(part)
    length += part.length
    if (length < bytes) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts)
}

/** 409: the part sent begins behind what has been received; the body says at which byte to go on. */
export const wrongPlace = (received: number): Refusal =>
  new Refusal(409, 'conflict', `the upload goes on at byte ${received}`, { body: { received } })
