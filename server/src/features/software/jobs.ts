import type { PeriodicJob } from '#platform/jobs/job.ts'
import { deleteOldChanges } from './inventory/history-retention.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'software.deleteOldChanges', everySeconds: 86_400, run: deleteOldChanges },
]
