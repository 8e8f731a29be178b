import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'
import { API_KEY_CONTEXT } from './feeds/sync-feed.ts'

export const advisories: Feature = {
  name: 'advisories',
  tables: {
    advisory_feeds: 'catalogue',
    advisory_parts: 'catalogue',
    catalogue: 'catalogue',
    advisories: 'catalogue',
    advisory_names: 'catalogue',
    advisory_rules: 'catalogue',
    exploited_cves: 'catalogue',
    cve_likelihoods: 'catalogue',
    lifecycles: 'catalogue',
    catalogue_changes: 'catalogue',
    staged_entries: 'catalogue',
  },
  graphql,
  every,
  commands,
  sealed: [{ table: 'advisory_feeds', key: ['name'], column: 'api_key', contextOf: () => API_KEY_CONTEXT }],
}
