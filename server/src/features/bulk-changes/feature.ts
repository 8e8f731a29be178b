import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { jobs } from './jobs.ts'
import { limitedTables } from './limited-tables-store.ts'
import { live } from './live.ts'

export const bulkChanges: Feature = {
  name: 'bulk-changes',
  tables: { bulk_changes: 'tenant', bulk_change_items: 'tenant' },
  limitedTables,
  graphql,
  live,
  jobs,
  commands,
}
