import type { PeriodicJob } from '#platform/jobs/job.ts'
import { forgetOldRequests } from './partner-usage.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'partners.forgetOldRequests', everySeconds: 86_400, run: forgetOldRequests },
]
