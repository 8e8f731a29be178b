import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { onDeleted } from './event-handlers.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { live } from './live.ts'
import { limitedTables } from './limited-tables-store.ts'
import { rest } from './rest.ts'
import { conditions } from './results/sweep-conditions.ts'

export const scans: Feature = {
  name: 'scans',
  emits: ['SCAN_COMPLETED'],
  tables: {
    scan_targets: 'tenant',
    scans: 'tenant',
    scan_results: 'tenant',
    swept_networks: 'tenant',
    device_touches: 'tenant',
    scan_target_collectors: 'tenant',
  },
  limitedTables,
  subjects: { scan: 'scans:read' },
  conditions,
  rest,
  graphql,
  files,
  on: { DELETED_ASSET: onDeleted },
  live,
  jobs,
  every,
  commands,
}
