import { invalid } from '#platform/errors.ts'
import type { FileInput, FileRoute } from '#platform/http/uploads.ts'
import type { Reply } from '#platform/http/route.ts'
import { assetLabel, labelSheet, type LabelFile } from './labels.ts'

/** Labels of assets to print, as the app's pages link to them. */
export const labelFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/label',
    async handle(ctx, { query }) {
      const { id = '', format = 'svg' } = textsOf(query, ['id', 'format'])
      return replyOf(await assetLabel(ctx, id, format))
    },
  },
  {
    method: 'GET',
    path: '/labels.pdf',
    async handle(ctx, { query }) {
      const { where, ids } = textsOf(query, ['where', 'ids'])
      return replyOf(await labelSheet(ctx, { where, assetIds: ids?.split(',') }))
    },
  },
]

function textsOf(
  query: FileInput['query'],
  names: readonly string[],
): Readonly<Record<string, string | undefined>> {
  for (const [name, value] of Object.entries(query)) {
    if (!names.includes(name)) throw invalid(name, 'is not a known parameter')
    if (typeof value !== 'string') throw invalid(name, 'must be given once')
  }
  return query
}

const replyOf = ({ mediaType, content, fileName }: LabelFile): Reply => ({
  file: { mediaType, content },
  headers: { 'content-disposition': `attachment; filename="${fileName}"` },
})
