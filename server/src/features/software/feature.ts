import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { conditions } from './conditions/software-conditions.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'
import { onDeleted } from './event-handlers.ts'
import { limitedTables } from './limited-tables-store.ts'

export const software: Feature = {
  name: 'software',
  tables: {
    software: 'tenant',
    software_changes: 'tenant',
    software_list_entries: 'tenant',
    software_sets: 'tenant',
    software_systems: 'tenant',
  },
  limitedTables,
  files,
  graphql,
  commands,
  subjects: { software: 'assets:read' },
  conditions,
  every,
  on: { DELETED_ASSET: onDeleted },
}
