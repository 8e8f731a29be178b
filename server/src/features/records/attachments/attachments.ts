import { Readable } from 'node:stream'
import { getAsset, lockAssets, mergedAssets, toChange } from '#features/assets/assets.ts'
import { record } from '#features/audit/audit.ts'
import { addChanges } from '#features/changes/changes.ts'
import { atomically, beyondLimit, isLimited, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { inChunks, wrongPlace } from '#platform/formats/upload-chunks.ts'
import { getContract } from '../entitlements/entitlements.ts'
import type { AttachedTo, Attachment } from './attachment.ts'
import * as store from './attachment-store.ts'
import { safeFileName } from './file-name.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'

/** Files attached to assets, contracts and controls of frameworks, stored in the database in chunks, so that every node serves them. */

export const FILE_BYTES_MAX = 20_000_000
/** The most files of one asset, contract or control. */
export const FILES_MAX = 100
export const TENANT_BYTES_MAX = 2_000_000_000
const NAME_LENGTH_MAX = 255
const KEY_LENGTH_MAX = 255
const CHUNK_BYTES = 1_048_576
/** An upload that is not finished after it is removed when the next one begins. */
const UNFINISHED_MS = 86_400_000

/** Whole files, the newest first; 404 for an unknown asset or contract. */
export async function listAttachments(ctx: Ctx, target: AttachedTo): Promise<Attachment[]> {
  permit(ctx, `${nounOf(target)}:read`)
  await checkTarget(ctx, target)
  return store.attachments(ctx, target)
}

/** 404 also while it is being uploaded. */
export async function getAttachment(ctx: Ctx, id: string): Promise<Attachment> {
  const found = isUuid(id) ? await store.attachment(ctx, id) : undefined
  permit(ctx, `${nounOf(found)}:read`)
  if (!found || found.digest === null) throw notFound('attachment')
  return found
}

export interface AttachmentFile {
  readonly attachment: Attachment
  /** Read one chunk at a time. */
  readonly content: Readable
}

export async function readAttachment(ctx: Ctx, id: string): Promise<AttachmentFile> {
  const attachment = await getAttachment(ctx, id)
  return { attachment, content: Readable.from(chunksOf(ctx, attachment)) }
}

async function* chunksOf(ctx: Ctx, { id, bytes }: Attachment): AsyncGenerator<Buffer> {
  for (let position = 0; position < bytes;) {
    const found = await store.chunk(ctx, id, position)
    if (!found) throw new Error('an attachment was deleted while it was read')
    yield found.content
    position += found.content.length
  }
}

export interface AttachmentUpload extends AttachedTo {
  /** Chosen by who uploads: what is sent again with the same key is no second file. */
  readonly key: string
  readonly name: string
  /** Of the whole file. */
  readonly bytes: number
  /** Of the first byte of `content` in the file. */
  readonly at: number
  /** The file, or a part of it; of what has arrived before, the beginning is passed over. */
  readonly content: AsyncIterable<Buffer>
}

/**
 * Takes a file, or a part of one, chunk by chunk: an upload that is cut off goes on where it was. Throws 409, which says
 * where, when the part begins behind that, and when there is no room.
 */
export async function uploadAttachment(ctx: Ctx, upload: AttachmentUpload): Promise<Attachment> {
  permit(ctx, `${nounOf(upload)}:write`)
  checkUpload(upload)
  const inner = await checkTarget(ctx, upload)
  let found = await begun(inner, { ...upload, name: safeFileName(upload.name) })
  if (upload.at > found.received) throw wrongPlace(found.received)
  let position = upload.at
  for await (const chunk of inChunks(upload.content, CHUNK_BYTES)) {
    const from = position
    position += chunk.length
    if (position <= found.received) continue
    found = await append(inner, found, chunk.subarray(Math.max(0, found.received - from)))
  }
  return found
}

export async function deleteAttachment(ctx: Ctx, id: string): Promise<void> {
  const found = isUuid(id) ? await store.attachment(ctx, id) : undefined
  permit(ctx, `${nounOf(found)}:write`)
  if (!found) throw notFound('attachment')
  await atomically(beyondLimit(ctx), async (inner) => {
    if (!(await store.remove(inner, id))) throw notFound('attachment')
    if (found.digest !== null) await tell(inner, 'attachment.deleted', found)
  })
}

/** Files of merged assets go to the survivors, those of deleted assets are deleted; in the transaction of the change. */
export async function followAssets(
  ctx: Ctx,
  gone: { readonly merged: readonly string[]; readonly deleted: readonly string[] },
): Promise<void> {
  if (gone.deleted.length > 0) await store.removeOf(ctx, gone.deleted)
  if (gone.merged.length > 0) await store.moveToSurvivors(ctx, await mergedAssets(ctx, gone.merged))
}

/** Throws 404 for what the actor does not see. Returns the context for a change of it. */
async function checkTarget(ctx: Ctx, { assetId, contractId, control }: AttachedTo): Promise<Ctx> {
  if ([assetId, contractId, control].filter((it) => it !== undefined).length !== 1)
    throw invalid('assetId', 'give either an asset, a contract or a control')
  if (control !== undefined) {
    if (!CONTROL.test(control)) throw invalid('control', 'must be such as nist-csf-2.0 GV.PO-01')
    if (isLimited(ctx)) throw forbidden('Files of controls are for people who see all assets')
    return ctx
  }
  if (assetId !== undefined) {
    await getAsset(ctx, assetId)
    return toChange(ctx, [assetId])
  }
  if (isLimited(ctx)) throw forbidden('Files of contracts are for people who see all assets')
  await getContract(ctx, contractId ?? '')
  return ctx
}

/** Slug of the framework, space, id of the control; neither is looked up. */
const CONTROL = /^[a-z0-9.-]{1,64} [A-Za-z0-9.()-]{1,64}$/

/** Whose permissions are asked for. */
const nounOf = (target: { readonly control?: string | null | undefined } | undefined) =>
  target?.control == null ? ('assets' as const) : ('compliance' as const)

function checkUpload({ name, key, bytes, at }: AttachmentUpload): void {
  checkedName('name', name, NAME_LENGTH_MAX)
  if (key === '' || key.length > KEY_LENGTH_MAX)
    throw invalid('key', `must have 1 to ${KEY_LENGTH_MAX} characters`)
  if (bytes === 0) throw invalid('file', 'is empty')
  if (!(bytes <= FILE_BYTES_MAX)) throw invalid('bytes', `must be a whole number up to ${FILE_BYTES_MAX}`)
  if (!(at >= 0)) throw invalid('at', 'must be a whole number, 0 or more')
}

function begun(ctx: Ctx, upload: AttachmentUpload): Promise<Attachment> {
  const { key, name, bytes, assetId, contractId, control } = upload
  return atomically(ctx, async (inner) => {
    if (assetId !== undefined) await lockAsset(inner, assetId)
    await store.lockTenant(inner)
    const known = await store.byUploadKey(inner, key)
    if (known) {
      const isSame = known.name === name && known.bytes === bytes
      if (!isSame || !isOf(known, upload))
        throw conflict('the key is of an upload with another name, length or place')
      return known
    }
    const now = inner.now()
    await store.removeUnfinished(inner, new Date(now.getTime() - UNFINISHED_MS))
    const used = await store.usage(inner, { assetId, contractId, control })
    if (
      used.ofTarget >= FILES_MAX &&
      !(await store.removeOldestUnfinished(inner, { assetId, contractId, control }))
    )
      throw conflict(`there are ${FILES_MAX} files already; delete one first`)
    if (used.bytes + bytes > TENANT_BYTES_MAX)
      throw conflict(
        `attachments of the organisation take ${used.bytes} of ${TENANT_BYTES_MAX} bytes already`,
      )
    const { actor } = inner
    const addedBy = actor.name ?? `${actor.kind} ${actor.id}`
    return store.add(inner, { ...upload, id: newUuid(now), addedBy, addedAt: now })
  })
}

/** Until the end of the transaction the asset is neither deleted nor merged away. Throws 404 when it was meanwhile. */
async function lockAsset(ctx: Ctx, id: string): Promise<void> {
  if ((await lockAssets(ctx, [id])).size === 0) await getAsset(ctx, id)
}

/** Files of a merged asset are the survivor's. */
const isOf = (known: Attachment, { assetId, contractId, control }: AttachedTo): boolean =>
  (known.control ?? undefined) === control &&
  (known.assetId ?? undefined) === assetId?.toLowerCase() &&
  (known.contractId ?? undefined) === contractId?.toLowerCase()

function append(ctx: Ctx, { id, received, bytes }: Attachment, content: Buffer): Promise<Attachment> {
  return atomically(ctx, async (inner) => {
    const now = await store.append(inner, { id, position: received, content })
    const found = await store.attachment(inner, id)
    if (!found) throw notFound('attachment')
    if (now === undefined) {
      if (received + content.length > bytes) throw conflict(`the file is longer than its ${bytes} bytes`)
      throw wrongPlace(found.received)
    }
    if (now < bytes) return found
    const whole = await store.finish(inner, id, mediaTypeOf(await store.head(inner, id, HEAD_BYTES)))
    await tell(inner, 'attachment.added', whole)
    return whole
  })
}

/** For the audit log and, of assets, for readers of changes. */
async function tell(
  ctx: Ctx,
  action: 'attachment.added' | 'attachment.deleted',
  it: Attachment,
): Promise<void> {
  const { id, assetId, name, bytes, mediaType, digest } = it
  const subject = subjectOf(it)
  await record(ctx, action, subject, { attachment: id, name, bytes, mediaType, digest })
  if (assetId === null) return
  const isAdded = action === 'attachment.added'
  const change = { kind: 'field_changed', assetId, subject: 'attachment' } as const
  addChanges(ctx, [{ ...change, before: isAdded ? null : name, after: isAdded ? name : null }])
}

function subjectOf({ assetId, contractId, control }: Attachment): { type: string; id: string } {
  if (assetId !== null) return { type: 'asset', id: assetId }
  return control === null
    ? { type: 'contract', id: contractId ?? '' }
    : { type: 'compliance_control', id: control }
}
