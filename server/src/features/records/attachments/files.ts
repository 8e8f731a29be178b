import { invalid } from '#platform/errors.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { newUuid } from '#platform/uuid.ts'
import { readAttachment, uploadAttachment } from './attachments.ts'
import { fileReply } from './file-reply.ts'

/** Attachments, as the app's pages send and fetch them. */
export const attachmentFiles: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/attachments',
    async handle(ctx, { query, content }) {
      const {
        asset: assetId,
        contract: contractId,
        control,
        name = '',
        key = newUuid(ctx.now()),
        bytes,
      } = query
      const { id, received } = await uploadAttachment(ctx, {
        assetId,
        contractId,
        control,
        name,
        key,
        content,
        bytes: wholeNumber('bytes', bytes),
        at: wholeNumber('at', query['at'] ?? '0'),
      })
      return { json: { id, received } }
    },
  },
  {
    method: 'GET',
    path: '/attachment',
    handle: async (ctx, { query }) => fileReply(await readAttachment(ctx, query['id'] ?? '')),
  },
]

function wholeNumber(field: string, text: string | undefined): number {
  if (text === undefined) throw invalid(field, 'is required')
  if (!/^\d{1,9}$/.test(text)) throw invalid(field, 'must be a whole number')
  return Number(text)
}
