import { worker } from '#platform/jobs/job.ts'
import { planJob, readJob } from './reading/cloud-jobs.ts'
import { planConnection } from './reading/plan-connection.ts'
import { runReading } from './reading/run-reading.ts'

export const jobs = [
  worker(planJob, (ctx, payload, signal) => planConnection(ctx, payload, signal)),
  worker(readJob, (ctx, payload, signal) => runReading(ctx, payload, signal)),
]
