import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { onDeleted, onMoved } from './reactions.ts'
import { rest } from './rest.ts'

export const vulnerabilities: Feature = {
  name: 'vulnerabilities',
  tables: [
    'asset_risk_days',
    'asset_risks',
    'asset_weights',
    'finding_attributions',
    'finding_counts',
    'finding_history',
    'finding_overrides',
    'finding_settings',
    'findings',
    'matching_cursors',
    'matching_due',
    'software_keys',
    'software_matches',
    'vulnerabilities',
  ],
  commands,
  files,
  graphql,
  rest,
  jobs,
  every,
  on: { DELETED_ASSET: onDeleted, UPDATED_ASSET: onMoved, UNLINK: onMoved },
}
