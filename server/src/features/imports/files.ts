import { invalid } from '#platform/errors.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { newUuid } from '#platform/uuid.ts'
import { uploadFile } from './uploads.ts'

export const files: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/imports',
    async handle(ctx, { query, content }) {
      const { name = '', key = newUuid(ctx.now()), bytes, at = '0' } = query
      const { id, received, status } = await uploadFile(ctx, {
        name,
        key,
        content,
        bytes: wholeNumber('bytes', bytes),
        at: wholeNumber('at', at),
      })
      return { json: { id, received, status } }
    },
  },
]

function wholeNumber(field: string, text: string | undefined): number {
  if (text === undefined) throw invalid(field, 'is required')
  if (!/^\d{1,9}$/.test(text)) throw invalid(field, 'must be a whole number')
  return Number(text)
}
