import { worker } from '#platform/jobs/job.ts'
import { bulkChangeJob } from './bulk-change-job.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

export const jobs = [worker(bulkChangeJob, (ctx, payload, signal) => workOnBulkChange(ctx, payload, signal))]
