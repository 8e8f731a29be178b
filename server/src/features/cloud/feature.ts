import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { jobs } from './jobs.ts'
import { sealContext } from './reading/session.ts'
import { rest } from './rest.ts'
import { limitedTables } from './limited-tables-store.ts'

export const cloud: Feature = {
  name: 'cloud',
  tables: {
    cloud_connections: 'tenant',
    cloud_scopes: 'tenant',
    cloud_resources: 'tenant',
    cloud_call_rates: 'tenant',
  },
  limitedTables,
  rest,
  graphql,
  jobs,
  commands,
  sealed: [
    {
      table: 'cloud_connections',
      key: ['tenant_id', 'id'],
      column: 'secret_sealed',
      contextOf: ({ tenant_id, id }) => sealContext(String(tenant_id), String(id)),
    },
  ],
}
