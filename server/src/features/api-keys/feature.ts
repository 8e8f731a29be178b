import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { storedConditions } from './stored-conditions-store.ts'

export const apiKeys: Feature = {
  name: 'api-keys',
  tables: {
    api_keys: 'directory',
  },
  graphql,
  commands,
  storedConditions,
}
