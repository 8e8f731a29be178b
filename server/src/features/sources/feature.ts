import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { jobs } from './jobs.ts'
import { graphql } from './graphql.ts'
import { rest } from './rest.ts'
import { limitedTables } from './limited-tables-store.ts'

export const sources: Feature = {
  name: 'sources',
  emits: ['NEW_SOURCE'],
  tables: {
    sources: 'tenant',
  },
  limitedTables,
  jobs,
  rest,
  graphql,
  commands,
}
