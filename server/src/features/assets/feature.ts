import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { announceNews, live } from './live.ts'
import { rest } from './rest.ts'

export const assets: Feature = {
  name: 'assets',
  tables: [
    'assets',
    'asset_aliases',
    'asset_candidates',
    'asset_constraints',
    'asset_counts',
    'asset_custom_fields',
    'asset_custom_values',
    'asset_identifiers',
    'asset_observations',
    'asset_overrides',
    'asset_search',
    'asset_shared_values',
    'asset_views',
  ],
  graphql,
  files,
  live,
  jobs,
  every,
  on: { NEW_ASSET: announceNews, UPDATED_ASSET: announceNews, DELETED_ASSET: announceNews },
  rest,
  commands,
}
