import { worker } from '#platform/jobs/job.ts'
import { executeRun } from './running/execute-run.ts'
import { executeRunJob } from './running/execution.ts'
import { admitRuns } from './triggers/admit-runs.ts'
import { admitRunsJob } from './triggers/on-event.ts'
import { startScheduled, startScheduledJob } from './triggers/run-schedule.ts'

export const jobs = [
  worker(admitRunsJob, (ctx, _, signal) => admitRuns(ctx, signal)),
  worker(startScheduledJob, (ctx, payload) => startScheduled(ctx, payload)),
  worker(executeRunJob, (ctx, payload, signal) => executeRun(ctx, payload, signal)),
]
