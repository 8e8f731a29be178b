import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { every } from './jobs.ts'

export const events: Feature = {
  name: 'events',
  tables: {
    events: 'engine',
    event_subscriptions: 'engine',
  },
  commands,
  every,
}
