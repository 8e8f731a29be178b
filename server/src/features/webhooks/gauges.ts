import type { CountedGauge } from '#platform/feature.ts'
import { backlog } from './delivery/due-store.ts'

export const gauges: readonly CountedGauge[] = [
  {
    name: 'rollcall_webhook_deliveries',
    help: 'Deliveries that have not ended.',
    label: 'state',
    async count({ db }) {
      const { pending, processing, failed } = await backlog(db)
      return { pending, processing, failed }
    },
  },
  {
    name: 'rollcall_webhook_lag_seconds',
    help: 'How long the oldest delivery has been due that no worker has begun.',
    count: async ({ db }) => (await backlog(db)).lagSeconds,
  },
  {
    name: 'rollcall_webhook_workers',
    help: 'Workers that deliver.',
    count: async ({ db }) => (await backlog(db)).workers,
  },
]
