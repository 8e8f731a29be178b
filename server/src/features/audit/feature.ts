import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'

export const audit: Feature = {
  name: 'audit',
  tables: {
    audit_entries: 'tenant',
    audit_links: 'tenant',
    audit_heads: 'tenant',
  },
  graphql,
  commands,
}
