import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'
import { API_KEY_CONTEXT } from './sync.ts'

export const advisories: Feature = {
  name: 'advisories',
  tables: [
    'advisory_feeds',
    'advisory_parts',
    'catalogue',
    'advisories',
    'advisory_names',
    'advisory_rules',
    'exploited_cves',
    'cve_likelihoods',
    'lifecycles',
    'catalogue_changes',
    'staged_entries',
  ],
  graphql,
  every,
  commands,
  sealed: [{ table: 'advisory_feeds', key: ['name'], column: 'api_key', contextOf: () => API_KEY_CONTEXT }],
}
