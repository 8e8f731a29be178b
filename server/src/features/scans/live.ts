import type { LiveTopic } from '#platform/http/server-sent-events.ts'
import { scanTopic } from './live-topic.ts'
import { listScans } from './scans.ts'

const SHOWN = 20

export const live: readonly LiveTopic[] = [
  {
    event: 'scan',
    topicOf: scanTopic,
    async read(ctx) {
      const { items } = await listScans(ctx, { limit: SHOWN, offset: 0 })
      return { scans: items }
    },
  },
]
