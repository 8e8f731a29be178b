import { Readable } from 'node:stream'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import type { AttachedTo, Attachment } from './attachment.ts'
import { uploadAttachment, type AttachmentUpload } from './attachments.ts'

/** A file of this text, for tests. */
export function attached(
  ctx: Ctx,
  target: AttachedTo,
  { text = 'x', ...more }: Partial<AttachmentUpload> & { readonly text?: string } = {},
): Promise<Attachment> {
  const content = Buffer.from(text)
  const key = newUuid(ctx.now())
  const upload = { name: 'a.txt', key, bytes: content.length, at: 0, content: Readable.from([content]) }
  return uploadAttachment(ctx, { ...target, ...upload, ...more })
}
