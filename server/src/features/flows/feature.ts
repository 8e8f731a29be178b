import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { jobs } from './jobs.ts'
import { rest } from './rest.ts'
import { startRunsForEvents } from './triggers/on-event.ts'

export const flows: Feature = {
  name: 'flows',
  emits: ['FLOW_TRIGGERED'],
  tables: {
    flows: 'tenant',
    flow_versions: 'tenant',
    flow_event_triggers: 'tenant',
    flow_runs: 'tenant',
    flow_run_steps: 'tenant',
  },
  rest,
  graphql,
  commands,
  jobs,
  on: { '*': startRunsForEvents },
}
