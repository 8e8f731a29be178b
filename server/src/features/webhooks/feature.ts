import type { Feature } from '#platform/feature.ts'
import { sealContext } from './endpoints/secret-encryption.ts'
import { commands } from './cli.ts'
import { engine } from './delivery/engine.ts'
import { hasRequestsUnderWay } from './delivery/outcome-store.ts'
import { gauges } from './gauges.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'
import { fanOut } from './webhooks.ts'

export const webhooks: Feature = {
  name: 'webhooks',
  tables: {
    webhook_endpoints: 'engine',
    webhook_deliveries: 'engine',
    webhook_delivery_log: 'engine',
    webhook_attempts: 'engine',
    webhook_pulses: 'engine',
    webhook_replays: 'engine',
    webhook_workers: 'engine',
  },
  graphql,
  commands,
  jobs,
  every,
  besideEvents: fanOut,
  engine,
  gauges,
  isBusy: hasRequestsUnderWay,
  sealed: [
    {
      table: 'webhook_endpoints',
      key: ['id'],
      column: 'secret_sealed',
      contextOf: ({ id }) => sealContext('secret', String(id)),
    },
    {
      table: 'webhook_endpoints',
      key: ['id'],
      column: 'headers_sealed',
      contextOf: ({ id }) => sealContext('headers', String(id)),
    },
  ],
}
