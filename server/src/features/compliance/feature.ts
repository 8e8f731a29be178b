import type { Feature } from '#platform/feature.ts'
import { noteUnreadableChecks } from './checks/note-unreadable.ts'
import { commands } from './cli.ts'
import { checkCommands } from './cli-checks.ts'
import { evidenceCommands } from './cli-evidence.ts'
import { exceptionCommands } from './cli-exceptions.ts'
import { statementCommands } from './cli-statements.ts'
import { onChanged } from './event-handlers.ts'
import { files } from './conditions/files.ts'
import { gauges } from './gauges.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { limitedTables } from './limited-tables-store.ts'
import { checkConditions } from './conditions/check-conditions-store.ts'
import { controlConditions } from './conditions/control-conditions-store.ts'
import { enqueueEvaluation } from './evaluation/evaluation-job.ts'
import { storedConditions } from './checks/stored-conditions-store.ts'

export const compliance: Feature = {
  name: 'compliance',
  emits: ['COMPLIANCE_UPDATED'],
  tables: {
    compliance_adoptions: 'tenant',
    compliance_assets: 'tenant',
    compliance_attestations: 'tenant',
    compliance_check_settings: 'tenant',
    compliance_check_states: 'tenant',
    compliance_checks: 'tenant',
    compliance_control_exceptions: 'tenant',
    compliance_control_changes: 'tenant',
    compliance_control_states: 'tenant',
    compliance_control_texts: 'tenant',
    compliance_drift: 'engine',
    compliance_evidence: 'tenant',
    compliance_due: 'tenant',
    compliance_exceptions: 'tenant',
    compliance_results: 'tenant',
    compliance_rounds: 'tenant',
    compliance_scopes: 'tenant',
    compliance_settings: 'tenant',
    compliance_statement_rows: 'tenant',
    compliance_statements: 'tenant',
    compliance_text_imports: 'tenant',
  },
  limitedTables,
  subjects: { check: 'compliance:read', control: 'compliance:read' },
  conditions: (ctx) => [checkConditions(ctx), controlConditions(ctx)],
  commands: [...commands, ...checkCommands, ...evidenceCommands, ...exceptionCommands, ...statementCommands],
  files,
  graphql,
  jobs,
  every,
  on: {
    DELETED_ASSET: onChanged,
    'assets.archived': onChanged,
    'assets.changed': onChanged,
    'assets.revived': onChanged,
    'conditions.shrunk': noteUnreadableChecks,
    'software.listed': enqueueEvaluation,
  },
  gauges,
  storedConditions,
}
