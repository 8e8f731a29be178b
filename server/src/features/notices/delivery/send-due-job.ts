import { job } from '#platform/jobs/job.ts'

/** Sends what is due of the tenant's outbox. */
export const sendDueJob = job<Record<string, never>>('notices.sendDue')
