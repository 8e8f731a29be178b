import type { PeriodicJob } from '#platform/jobs/job.ts'
import { removeOldChanges } from './changes.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'changes.removeOld', everySeconds: 3_600, run: removeOldChanges },
]
