import type { Feature } from '#platform/feature.ts'
import { attachmentCommands } from './attachments/cli.ts'
import { attachmentFiles } from './attachments/files.ts'
import { commands } from './cli.ts'
import { conditionParts } from './conditions/record-conditions-store.ts'
import { onDeleted } from './event-handlers.ts'
import { graphql } from './graphql.ts'
import { rest } from './rest.ts'
import { limitedTables } from './limited-tables-store.ts'

export const records: Feature = {
  name: 'records',
  tables: {
    asset_records: 'tenant',
    attachment_chunks: 'tenant',
    attachments: 'tenant',
    contracts: 'tenant',
    entitlement_uses: 'tenant',
    entitlements: 'tenant',
    place_networks: 'tenant',
    places: 'tenant',
  },
  limitedTables,
  rest,
  graphql,
  files: attachmentFiles,
  commands: [...commands, ...attachmentCommands],
  conditions: conditionParts,
  on: { DELETED_ASSET: onDeleted },
}
