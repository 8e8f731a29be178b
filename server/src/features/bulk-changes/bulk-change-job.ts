import { job } from '#platform/jobs/job.ts'

/** A worker that dies costs one attempt and at most one batch of work. */
export const bulkChangeJob = job<{ changeId: string }>('bulk_changes.work', 20)
