import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { onDeleted } from './event-handlers.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { conditionParts } from './neighbour-conditions-store.ts'
import { rest } from './rest.ts'
import { limitedTables } from './limited-tables-store.ts'

export const topology: Feature = {
  name: 'topology',
  tables: {
    asset_relations: 'tenant',
    topology_links: 'tenant',
  },
  limitedTables,
  rest,
  graphql,
  commands,
  conditions: conditionParts,
  jobs,
  every,
  on: { DELETED_ASSET: onDeleted },
}
