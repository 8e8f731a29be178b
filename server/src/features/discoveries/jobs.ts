import { worker } from '#platform/jobs/job.ts'
import { runDiscovery, runDiscoveryJob } from './running/run-discovery.ts'
import { startDueJob } from './scheduling/schedule-next.ts'
import { startDue } from './scheduling/start-due.ts'

export const jobs = [
  worker(runDiscoveryJob, (ctx, payload, signal) => runDiscovery(ctx, payload, signal)),
  worker(startDueJob, (ctx, payload) => startDue(ctx, payload)),
]
