import type { PeriodicJob } from '#platform/jobs/job.ts'
import { keepRecentChanges } from './software.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'software.keepRecentChanges', everySeconds: 86_400, run: keepRecentChanges },
]
