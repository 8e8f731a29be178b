import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { countAssignments, countCollectors } from './collectors.ts'
import { graphql } from './graphql.ts'
import { protocols } from './requests/collector-protocol.ts'

export const collectors: Feature = {
  name: 'collectors',
  tables: {
    collectors: 'tenant',
    collector_keys: 'directory',
    collector_assignments: 'tenant',
    collector_messages: 'tenant',
  },
  protocols,
  graphql,
  gauges: [
    {
      name: 'rollcall_collectors',
      help: 'Remote collectors by state; those that are offline scan nothing.',
      label: 'state',
      count: countCollectors,
    },
    {
      name: 'rollcall_collector_assignments',
      help: 'Scans given to collectors, by whether a process of theirs has taken them.',
      label: 'state',
      count: countAssignments,
    },
  ],
  commands,
}
