import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { listCheckPage, listControlPage } from './listed.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'checks.csv',
    list: listCheckPage,
    columns: [
      'id',
      'title',
      'severity',
      'status',
      'inScope',
      'ok',
      'failed',
      'unknown',
      'excepted',
      'frameworks',
      'controlIds',
      'isOwn',
      'judgedAt',
      'next',
    ],
  }),
  listFile({
    name: 'controls.csv',
    list: listControlPage,
    columns: ['framework', 'id', 'title', 'status', 'since', 'checks', 'why'],
  }),
]
