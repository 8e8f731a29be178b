import type { PeriodicJob } from '#platform/jobs/job.ts'
import { keepRecentEvents } from './events.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'events.keepRecent', everySeconds: 3_600, run: keepRecentEvents },
]
