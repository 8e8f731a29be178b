import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { simulateCommands } from './cli-simulate.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { labelCommands } from './labels/cli.ts'
import { labelFiles } from './labels/files.ts'
import { paperCommand } from './printing/cli.ts'
import { reportConditions } from './conditions/report-conditions-store.ts'
import { rest } from './rest.ts'
import { storedConditions } from './stored-conditions-store.ts'
import { statementCommands } from './statements/cli.ts'
import { limitedTables } from './limited-tables-store.ts'

export const reports: Feature = {
  name: 'reports',
  emits: ['EXPORT_COMPLETED'],
  tables: {
    reports: 'tenant',
    report_snapshots: 'tenant',
    report_chunks: 'tenant',
    inventory_days: 'tenant',
    replacement_prices: 'tenant',
    exchange_rates: 'tenant',
    budget_settings: 'tenant',
    report_settings: 'tenant',
  },
  limitedTables,
  subjects: { report: 'reports:read' },
  conditions: reportConditions,
  storedConditions,
  rest,
  graphql,
  files: [...files, ...labelFiles],
  commands: [...commands, ...simulateCommands, ...statementCommands, ...labelCommands, paperCommand],
  jobs,
  every,
}
