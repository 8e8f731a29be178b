import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { conditions } from './conditions/asset-conditions.ts'
import { tenantConditions } from './conditions/tenant-conditions.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { publishAssetChange, live } from './live.ts'
import { rest } from './rest.ts'
import { limitedTables } from './limited-tables-store.ts'
import { storedConditions } from './groups/stored-conditions-store.ts'

export const assets: Feature = {
  name: 'assets',
  emits: ['NEW_ASSET', 'UPDATED_ASSET', 'DELETED_ASSET', 'UNLINK', 'EXPORT_COMPLETED'],
  tables: {
    assets: 'tenant',
    asset_aliases: 'tenant',
    asset_archive_rules: 'tenant',
    asset_candidates: 'tenant',
    asset_constraints: 'tenant',
    asset_counts: 'tenant',
    asset_custom_fields: 'tenant',
    asset_custom_values: 'tenant',
    asset_groups: 'tenant',
    asset_identifiers: 'tenant',
    asset_merge_suggestions: 'tenant',
    asset_remembered_names: 'tenant',
    asset_observation_counts: 'tenant',
    asset_observations: 'tenant',
    asset_overrides: 'tenant',
    asset_search: 'tenant',
    asset_shared_values: 'tenant',
  },
  limitedTables,
  graphql,
  files,
  live,
  jobs,
  every,
  on: {
    NEW_ASSET: publishAssetChange,
    UPDATED_ASSET: publishAssetChange,
    DELETED_ASSET: publishAssetChange,
    'assets.archived': publishAssetChange,
    'assets.revived': publishAssetChange,
  },
  rest,
  commands,
  subjects: { asset: 'assets:read' },
  conditions,
  tenantConditions,
  storedConditions,
}
