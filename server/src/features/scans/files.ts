import { invalid } from '#platform/errors.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { exportTouches } from './touches/touches.ts'

/** What scans did to devices: to those of one asset or at one address, or to all. */
export const files: readonly FileRoute[] = [
  {
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
