import { listFile } from '#platform/conditions/lists/list-file.ts'
import { invalid } from '#platform/errors.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { queryScans } from './scans.ts'
import { exportTouches } from './touches/touches.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'scans.csv',
    list: queryScans,
    columns: [
      'id',
      'type',
      'targetKind',
      'targetAddress',
      'status',
      'message',
      'assetCount',
      'createdAt',
      'startedAt',
      'finishedAt',
    ],
  }),
  {
    // what scans did to devices: to those of one asset or at one address, or to all
    method: 'GET',
    path: '/touches.csv',
    async handle(ctx, { query: { assetId, address, ...others } }) {
      const [unknown] = Object.keys(others)
      if (unknown !== undefined) throw invalid(unknown, 'is not a known parameter')
      for (const [field, value] of Object.entries({ assetId, address }))
        if (value !== undefined && typeof value !== 'string') throw invalid(field, 'must be given once')
      return exportTouches(ctx, { assetId, address })
    },
  },
]
