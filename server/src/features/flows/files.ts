import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { listRuns } from './flows.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'flow-runs.csv',
    list: listRuns,
    columns: [
      'id',
      'flowId',
      'flowName',
      'version',
      'status',
      'reason',
      'cause',
      'assetId',
      'assetName',
      'createdAt',
      'startedAt',
      'finishedAt',
    ],
  }),
]
