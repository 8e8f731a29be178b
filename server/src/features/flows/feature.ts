import type { Feature } from '#platform/feature.ts'
import { tokenContext } from './approvals/approvals.ts'
import { commands } from './cli.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { storedConditions } from './definition/stored-conditions.ts'
import { secretContext as hookSecretContext } from './hooks/hooks.ts'
import { protocols } from './hooks/receive-hook.ts'
import { noteUnreadableFlows } from './definition/note-unreadable.ts'
import { every, jobs } from './jobs.ts'
import { limitedTables } from './limited-tables-store.ts'
import { rest } from './rest.ts'
import { runConditions } from './conditions/run-conditions-store.ts'
import { secretContext } from './secrets/flow-secrets.ts'
import { noteMovedAssets, startRunsForEvents } from './triggers/on-event.ts'

export const flows: Feature = {
  name: 'flows',
  emits: ['FLOW_TRIGGERED'],
  tables: {
    flows: 'tenant',
    flow_versions: 'tenant',
    flow_event_triggers: 'tenant',
    flow_back_tests: 'tenant',
    flow_runs: 'tenant',
    flow_run_steps: 'tenant',
    flow_approvals: 'tenant',
    flow_secrets: 'tenant',
    flow_stops: 'tenant',
    flow_members: 'tenant',
    flow_changed_assets: 'tenant',
    flow_tokens: 'directory',
    flow_installation_stop: 'engine',
  },
  limitedTables,
  subjects: { flow_run: 'flows:read' },
  conditions: runConditions,
  storedConditions,
  rest,
  protocols,
  graphql,
  files,
  commands,
  jobs,
  every,
  on: {
    '*': startRunsForEvents,
    'assets.archived': noteMovedAssets,
    'assets.changed': noteMovedAssets,
    'assets.revived': noteMovedAssets,
    'conditions.shrunk': noteUnreadableFlows,
  },
  sealed: [
    {
      table: 'flow_approvals',
      key: ['tenant_id', 'id'],
      column: 'token_sealed',
      contextOf: ({ id }) => tokenContext(String(id)),
    },
    {
      table: 'flow_tokens',
      key: ['tenant_id', 'token_hash', 'flow_id'],
      column: 'secret_sealed',
      contextOf: (row) => hookSecretContext(String(row['flow_id'])),
    },
    {
      table: 'flow_secrets',
      key: ['tenant_id', 'name'],
      column: 'value_sealed',
      contextOf: (row) => secretContext(String(row['tenant_id']), String(row['name'])),
    },
  ],
}
