import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { hasControlCharacter } from '#platform/validation/control-characters.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { inChunks, wrongPlace } from '#platform/formats/upload-chunks.ts'
import type { Import } from './import.ts'
import { importJob } from './running/import-job.ts'
import * as store from './store.ts'

export interface Upload {
  /** Chosen by who uploads: what is sent again with the same key is no second upload. */
  readonly key: string
  /** The file's name. */
  readonly name: string
  /** Of the whole file. */
  readonly bytes: number
  /** Of the first byte of `content` in the file. */
  readonly at: number
  /** The file, or a part of it; of what has arrived before, the beginning is passed over. */
  readonly content: AsyncIterable<Buffer>
}

export const UPLOAD_BYTES_MAX = 20_000_000
const CHUNK_BYTES = 262_144
const NAME_LENGTH_MAX = 255
const KEY_LENGTH_MAX = 255
/** Uploads and imports of a tenant that have not ended; each may hold as much as a file. */
const UNFINISHED_MAX = 10

/**
 * Takes a file, or a part of one, into the database, where its chunks are committed one by one: an upload that is cut
 * off goes on where it was. With the last byte the file is given to a worker, which looks through it.
 */
export async function uploadFile(ctx: Ctx, upload: Upload): Promise<Import> {
  permit(ctx, 'imports:write')
  let found = await begun(ctx, checked(upload))
  if (upload.at > found.received) throw wrongPlace(found.received)
  let position = upload.at
  for await (const chunk of inChunks(upload.content, CHUNK_BYTES)) {
    const from = position
    position += chunk.length
    const isKnown = found.status !== 'uploading' || position <= found.received
    if (isKnown) continue
    const fresh = chunk.subarray(Math.max(0, found.received - from))
    found = await append(ctx, found, fresh)
  }
  return found
}

function checked({ key, name, bytes, at }: Upload): store.NewUpload {
  if (name === '' || name.length > NAME_LENGTH_MAX)
    throw invalid('name', `must have 1 to ${NAME_LENGTH_MAX} characters`)
  if (hasControlCharacter(name)) throw invalid('name', 'must not contain control characters')
  if (key === '' || key.length > KEY_LENGTH_MAX)
    throw invalid('key', `must have 1 to ${KEY_LENGTH_MAX} characters`)
  if (bytes === 0) throw invalid('file', 'is empty')
  if (!(bytes <= UPLOAD_BYTES_MAX)) throw invalid('bytes', `must be a whole number up to ${UPLOAD_BYTES_MAX}`)
  if (!(at >= 0)) throw invalid('at', 'must be a whole number, 0 or more')
  return { key, name, bytes }
}

function begun(ctx: Ctx, upload: store.NewUpload): Promise<Import> {
  return atomically(ctx, async (inner) => {
    await store.lockTenant(inner)
    const known = await store.byUploadKey(inner, upload.key)
    if (!known) {
      if ((await store.countUnfinished(inner)) >= UNFINISHED_MAX)
        throw conflict(`${UNFINISHED_MAX} imports have not ended; finish or cancel one first`)
      return store.add(inner, upload)
    }
    if (known.name !== upload.name || known.bytes !== upload.bytes)
      throw conflict('the key is of an upload with another name or length')
    return known
  })
}

function append(ctx: Ctx, { id, received }: Import, content: Buffer): Promise<Import> {
  return atomically(ctx, async (inner) => {
    const found = await store.append(inner, id, received, content)
    if (!found) throw wrongPlace((await store.find(inner, id))?.received ?? received)
    if (found.status === 'checking') await enqueue(inner, importJob, { importId: id })
    return found
  })
}

/** What was uploaded, from the database, one chunk at a time; `onRead` is told how many bytes have been read. */
export async function* uploadedContent(
  ctx: Ctx,
  { id, bytes }: Pick<Import, 'id' | 'bytes'>,
  onRead: (bytes: number) => void = () => {},
): AsyncIterable<Buffer> {
  for (let position = 0; position < bytes;) {
    const found = await store.chunk(ctx, id, position)
    if (!found) throw new Error(`an import has no content at byte ${position}`)
    yield found.content
    position += found.content.length
    onRead(position)
  }
}
