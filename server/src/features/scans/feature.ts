import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { live } from './live.ts'
import { rest } from './rest.ts'

export const scans: Feature = {
  name: 'scans',
  emits: ['SCAN_COMPLETED'],
  tables: {
    scan_targets: 'tenant',
    scans: 'tenant',
    scan_results: 'tenant',
  },
  rest,
  graphql,
  live,
  jobs,
  every,
  commands,
}
