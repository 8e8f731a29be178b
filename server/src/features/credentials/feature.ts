import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'

export const credentials: Feature = {
  name: 'credentials',
  tables: ['credential_keys', 'credentials', 'credential_bindings', 'credential_addresses', 'host_keys'],
  graphql,
  commands,
}
