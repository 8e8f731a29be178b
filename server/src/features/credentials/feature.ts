import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { wrapContext } from './data-keys.ts'
import { graphql } from './graphql.ts'

export const credentials: Feature = {
  name: 'credentials',
  tables: ['credential_keys', 'credentials', 'credential_bindings', 'credential_addresses', 'host_keys'],
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
