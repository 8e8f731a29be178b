import { job } from '#platform/jobs/job.ts'

const TRIES_MAX = 5

/** Sends what is due of the tenant's outbox. */
export const sendDueJob = job<Record<string, never>>('notices.sendDue', TRIES_MAX, { doesAll: true })
