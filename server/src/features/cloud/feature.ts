import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { conditionParts } from './listing/cloud-resource-conditions-store.ts'
import { files } from './listing/files.ts'
import { gauges } from './gauges.ts'
import { graphql } from './graphql.ts'
import { issueToken, sealedIssuerKeys } from './issuer/issuer.ts'
import { protocols } from './issuer/issuer-protocol.ts'
import { every, jobs } from './jobs.ts'
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
    cloud_cost_accounts: 'tenant',
    cloud_cost_months: 'tenant',
    cloud_costs: 'tenant',
    cloud_issuer_keys: 'engine',
    cloud_totals: 'engine',
  },
  limitedTables,
  subjects: { cloud_resource: 'cloud:read' },
  conditions: conditionParts,
  rest,
  files,
  graphql,
  protocols,
  jobs,
  every,
  gauges,
  commands,
  issueToken,
  sealed: [
    sealedIssuerKeys,
    {
      table: 'cloud_connections',
      key: ['tenant_id', 'id'],
      column: 'secret_sealed',
      contextOf: ({ tenant_id, id }) => sealContext(String(tenant_id), String(id)),
    },
  ],
}
