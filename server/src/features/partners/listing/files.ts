import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { queryPartners } from '../partners.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'partners.csv',
    list: queryPartners,
    columns: [
      'id',
      'name',
      'slug',
      'email',
      'quotaLimit',
      'rateLimit',
      'apiEnabled',
      'createdAt',
      'updatedAt',
    ],
  }),
]
