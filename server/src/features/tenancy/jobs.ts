import type { PeriodicJob } from '#platform/jobs/job.ts'
import { deleteAllExpired } from './delete-expired.ts'
import { deleteClosedTenants } from './tenants/closed-tenants.ts'

export const every: readonly PeriodicJob[] = [
  { name: 'tenancy.sweepEnded', everySeconds: 3_600, run: deleteAllExpired },
  { name: 'tenancy.deleteClosed', everySeconds: 60, run: deleteClosedTenants },
]
