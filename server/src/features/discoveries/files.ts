import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { listRuns } from './discoveries.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'discovery-runs.csv',
    list: listRuns,
    columns: [
      'id',
      'discoveryId',
      'name',
      'cause',
      'status',
      'message',
      'entries',
      'unreachable',
      'types',
      'addressesTotal',
      'addressesDone',
      'hostsFound',
      'loggedIn',
      'refused',
      'unanswered',
      'notAsked',
      'newHosts',
      'changedHosts',
      'goneHosts',
      'createdAt',
      'startedAt',
      'finishedAt',
    ],
  }),
]
