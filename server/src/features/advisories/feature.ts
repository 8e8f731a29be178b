import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'

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
}
