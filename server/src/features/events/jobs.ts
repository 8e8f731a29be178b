import type { PeriodicJob } from '#platform/jobs/job.ts'
import { applyEventRetention } from './event-retention.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'events.keepRecent', everySeconds: 3_600, run: applyEventRetention },
]
