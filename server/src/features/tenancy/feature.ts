import type { Feature } from '#platform/feature.ts'
import { sealContext as totpContext } from './second-factor/second-factor.ts'
import { sealContext as clientSecretContext } from './single-sign-on/oidc-settings.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'
import { userCommands } from './user-cli.ts'
import { sessionRoutes } from './session-routes.ts'
import { storedConditions } from './roles/stored-conditions-store.ts'

export const tenancy: Feature = {
  name: 'tenancy',
  tables: {
    tenants: 'directory',
    users: 'directory',
    roles: 'directory',
    memberships: 'directory',
    sessions: 'directory',
    recovery_codes: 'directory',
    password_resets: 'directory',
    wrong_guesses: 'directory',
    known_devices: 'directory',
    invitations: 'directory',
    sign_on_providers: 'directory',
    sign_on_identities: 'directory',
    sign_on_journeys: 'directory',
    overview_layouts: 'tenant',
  },
  // what people change of their own accounts
  limitedTables: () => ({
    users: 'writable',
    sessions: 'writable',
    recovery_codes: 'writable',
    overview_layouts: 'writable',
  }),
  graphql,
  session: sessionRoutes,
  commands: [...commands, ...userCommands],
  every,
  sealed: [
    {
      table: 'sign_on_providers',
      key: ['tenant_id'],
      column: 'client_secret',
      contextOf: ({ tenant_id: tenantId }) => clientSecretContext(String(tenantId)),
    },
    {
      table: 'users',
      key: ['id'],
      column: 'totp_secret',
      contextOf: ({ id }) => totpContext(String(id)),
    },
  ],
  storedConditions,
}
