import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { listSoftware } from './software.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'software.csv',
    list: listSoftware,
    columns: [
      'id',
      'name',
      'version',
      'vendor',
      'origin',
      'ecosystem',
      'arch',
      'assets',
      'firstSeen',
      'endsOn',
      'purl',
      'cpe',
    ],
  }),
]
