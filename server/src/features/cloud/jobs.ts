import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { rotateIssuerKeys } from './issuer/issuer.ts'
import { planJob, readJob } from './reading/cloud-jobs.ts'
import { planConnection } from './reading/plan-connection.ts'
import { costJob, readCosts } from './costs/read-costs.ts'
import { runReading } from './reading/run-reading.ts'

export const jobs = [
  worker(planJob, (ctx, payload, signal) => planConnection(ctx, payload, signal)),
  worker(costJob, (ctx, payload, signal) => readCosts(ctx, payload, signal)),
  worker(readJob, (ctx, payload, signal) => runReading(ctx, payload, signal)),
]

export const every: readonly PeriodicJob[] = [
  { name: 'cloud.rotateIssuerKeys', everySeconds: 86_400, run: (system) => rotateIssuerKeys(system) },
]
