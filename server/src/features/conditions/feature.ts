import type { Feature } from '#platform/feature.ts'
import { graphql } from './graphql.ts'
import { storedConditions } from './views/stored-conditions.ts'

export const conditions: Feature = {
  name: 'conditions',
  tables: { saved_views: 'tenant' },
  limitedTables: () => ({ saved_views: 'writable' }),
  graphql,
  storedConditions,
}
