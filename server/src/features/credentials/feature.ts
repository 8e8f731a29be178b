import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { wrapContext } from './encryption/data-keys.ts'
import { graphql } from './graphql.ts'
import { conditionParts } from './host-keys/host-key-conditions-store.ts'
import { limitedTables } from './limited-tables-store.ts'

export const credentials: Feature = {
  name: 'credentials',
  tables: {
    credential_keys: 'tenant',
    credentials: 'tenant',
    credential_bindings: 'tenant',
    credential_collector_secrets: 'tenant',
    credential_addresses: 'tenant',
    host_keys: 'tenant',
    known_hosts: 'tenant',
  },
  limitedTables,
  conditions: conditionParts,
  graphql,
  commands,
  sealed: [
    {
      table: 'credential_keys',
      key: ['tenant_id', 'version'],
      column: 'wrapped',
      contextOf: ({ tenant_id: tenantId, version }) => wrapContext(String(tenantId), Number(version)),
    },
  ],
}
