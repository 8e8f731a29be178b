import type { FileRoute } from '#platform/http/uploads.ts'
import { findingFile } from './findings/finding-file.ts'
import { exportVex, importVex } from './vex/vex.ts'

export const files: readonly FileRoute[] = [
  findingFile,
  {
    method: 'POST',
    path: '/vex',
    handle: async (ctx, { content }) => ({ json: await importVex(ctx, content) }),
  },
  {
    method: 'GET',
    path: '/overrides.openvex.json',
    handle: async (ctx) => ({
      file: { mediaType: 'application/json', content: JSON.stringify(await exportVex(ctx), undefined, 2) },
      headers: { 'content-disposition': 'attachment; filename="overrides.openvex.json"' },
    }),
  },
]
