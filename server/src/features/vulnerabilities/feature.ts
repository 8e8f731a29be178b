import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { conditionParts } from './conditions/finding-conditions-store.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { onArchived, onDeleted, onReassigned, onRevived } from './event-handlers.ts'
import { rest } from './rest.ts'
import { limitedTables } from './limited-tables-store.ts'
import { storedConditions } from './overrides/stored-conditions-store.ts'

export const vulnerabilities: Feature = {
  name: 'vulnerabilities',
  emits: ['VULNERABILITY_FOUND'],
  tables: {
    asset_risk_days: 'tenant',
    asset_risks: 'tenant',
    asset_weights: 'tenant',
    finding_attributions: 'tenant',
    finding_counts: 'tenant',
    finding_history: 'tenant',
    finding_overrides: 'tenant',
    finding_settings: 'tenant',
    findings: 'tenant',
    matching_cursors: 'tenant',
    matching_due: 'tenant',
    software_keys: 'tenant',
    software_matches: 'tenant',
    vulnerabilities: 'tenant',
  },
  limitedTables,
  commands,
  subjects: { finding: 'vulnerabilities:read' },
  conditions: conditionParts,
  files,
  graphql,
  rest,
  jobs,
  every,
  on: {
    DELETED_ASSET: onDeleted,
    UPDATED_ASSET: onReassigned,
    UNLINK: onReassigned,
    'assets.archived': onArchived,
    'assets.revived': onRevived,
  },
  storedConditions,
}
