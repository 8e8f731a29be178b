import { job, longJob } from '#platform/jobs/job.ts'

export interface PlanJob {
  readonly connectionId: string
  /** For when it was due, RFC 3339: tells the job that counts from those that a later wish has replaced. */
  readonly at: string
  /** Also what is read less often. */
  readonly everything?: true
}

export interface ReadJob {
  readonly connectionId: string
  readonly reading: string
}

export const planJob = job<PlanJob>('cloud.plan')
export const readJob = longJob<ReadJob>('cloud.read')
