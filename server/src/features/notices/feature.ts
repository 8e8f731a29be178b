import type { Feature } from '#platform/feature.ts'
import { sealContext } from './channels/channel-settings.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { protocols } from './subscription-pages.ts'

export const notices: Feature = {
  name: 'notices',
  tables: {
    notice_channels: 'engine',
    notice_messages: 'engine',
    notice_deliveries: 'engine',
    notice_unsubscriptions: 'engine',
  },
  // statements name the recipient
  limitedTables: () => ({ notice_unsubscriptions: 'writable' }),
  graphql,
  commands,
  jobs,
  every,
  protocols,
  sealed: [
    {
      table: 'notice_channels',
      key: ['tenant_id', 'id'],
      column: 'settings_sealed',
      contextOf: ({ tenant_id, id }) => sealContext(String(tenant_id), String(id)),
    },
  ],
}
