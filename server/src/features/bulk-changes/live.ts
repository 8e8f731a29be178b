import type { LiveTopic } from '#platform/http/server-sent-events.ts'
import { bulkChangeTopic } from './bulk-change-topic.ts'
import { listBulkChanges } from './bulk-changes.ts'

const SHOWN = 20

export const live: readonly LiveTopic[] = [
  {
    event: 'bulk_change',
    topicOf: bulkChangeTopic,
    async read(ctx) {
      const { items } = await listBulkChanges(ctx, { limit: SHOWN, offset: 0 })
      return { bulkChanges: items }
    },
  },
]
