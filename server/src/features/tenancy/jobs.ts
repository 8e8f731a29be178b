import type { PeriodicJob } from '#platform/jobs/job.ts'
import { deleteAllExpired } from './delete-expired.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'tenancy.sweepEnded', everySeconds: 3_600, run: deleteAllExpired },
]
