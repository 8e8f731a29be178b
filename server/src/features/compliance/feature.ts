import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { onDeleted } from './event-handlers.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'

export const compliance: Feature = {
  name: 'compliance',
  emits: ['COMPLIANCE_UPDATED'],
  tables: {
    compliance_adoptions: 'tenant',
    compliance_attestations: 'tenant',
    compliance_check_states: 'tenant',
    compliance_checks: 'tenant',
    compliance_control_changes: 'tenant',
    compliance_control_states: 'tenant',
    compliance_exceptions: 'tenant',
    compliance_results: 'tenant',
    compliance_settings: 'tenant',
  },
  commands,
  graphql,
  jobs,
  every,
  on: { DELETED_ASSET: onDeleted },
}
