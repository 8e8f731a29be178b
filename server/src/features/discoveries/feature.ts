import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { files } from './files.ts'
import { gauges } from './gauges.ts'
import { graphql } from './graphql.ts'
import { jobs } from './jobs.ts'
import { runConditions } from './run-conditions-store.ts'

export const discoveries: Feature = {
  name: 'discoveries',
  tables: { discoveries: 'tenant', discovery_runs: 'tenant', discovery_hosts: 'tenant' },
  subjects: { discovery_run: 'scans:read' },
  conditions: runConditions,
  graphql,
  files,
  jobs,
  gauges,
  commands,
}
