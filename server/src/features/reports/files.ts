import { invalid } from '#platform/errors.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { downloadReport } from './reports.ts'

/** The file of a report's latest good snapshot, or of the one that is named. */
export const files: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/report',
    async handle(ctx, { query: { id, snapshot, ...others } }) {
      const [unknown] = Object.keys(others)
      if (unknown !== undefined) throw invalid(unknown, 'is not a known parameter')
      if (typeof id !== 'string') throw invalid('id', 'must be given once')
      if (snapshot !== undefined && typeof snapshot !== 'string')
        throw invalid('snapshot', 'must be given once')
      const found = await downloadReport(ctx, id, snapshot)
      return {
        file: { mediaType: found.mediaType, content: found.content, bytes: found.bytes },
        headers: { 'content-disposition': `attachment; filename="${found.snapshot.fileName}"` },
      }
    },
  },
]
