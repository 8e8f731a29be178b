import type { FileRoute } from '#platform/files-door.ts'
import { exportAsCsv } from './csv-export.ts'

export const files: readonly FileRoute[] = [
  { method: 'GET', path: '/assets.csv', handle: (ctx) => exportAsCsv(ctx) },
]
