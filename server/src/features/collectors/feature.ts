import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
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
  commands,
}
