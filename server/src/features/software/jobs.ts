import type { PeriodicJob } from '#platform/jobs/job.ts'
import { deleteOldChanges } from './software.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'software.deleteOldChanges', everySeconds: 86_400, run: deleteOldChanges },
]
