import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'
import { rest } from './rest.ts'
import { limitedTables } from './limited-tables-store.ts'

export const changes: Feature = {
  name: 'changes',
  tables: {
    asset_changes: 'tenant',
    change_heads: 'tenant',
  },
  limitedTables,
  rest,
  graphql,
  commands,
  every,
}
