import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { backTestJob, runBackTest } from './back-test/run-back-test.ts'
import { executeRuns } from './running/execute-run.ts'
import { executeRunJob } from './running/execution.ts'
import { removeOldRuns } from './running/run-retention.ts'
import { resumeLostRuns } from './running/resume-runs.ts'
import { admitRunsJob } from './triggers/admission-job.ts'
import { admitRuns } from './triggers/admit-runs.ts'
import { askAboutChangedJob } from './triggers/changed-assets.ts'
import { askAboutAllJob } from './triggers/query-job.ts'
import { askAboutAll, askAboutChanged, enqueueWholePasses } from './triggers/run-query.ts'
import { startScheduled, startScheduledJob } from './triggers/run-schedule.ts'

export const jobs = [
  worker(admitRunsJob, (ctx, _, signal) => admitRuns(ctx, signal)),
  worker(startScheduledJob, (ctx, payload) => startScheduled(ctx, payload)),
  worker(executeRunJob, (ctx, payload, signal) => executeRuns(ctx, payload, signal)),
  worker(backTestJob, (ctx, payload, signal) => runBackTest(ctx, payload, signal)),
  worker(askAboutAllJob, (ctx, payload) => askAboutAll(ctx, payload)),
  worker(askAboutChangedJob, (ctx, _, signal) => askAboutChanged(ctx, signal)),
]

const WHOLE_PASS_SECONDS = 600
const RESUME_SECONDS = 60
const RETENTION_SECONDS = 86_400

export const every: readonly PeriodicJob[] = [
  { name: 'flows.enqueueWholePasses', everySeconds: WHOLE_PASS_SECONDS, run: enqueueWholePasses },
  { name: 'flows.resumeLostRuns', everySeconds: RESUME_SECONDS, run: resumeLostRuns },
  { name: 'flows.removeOldRuns', everySeconds: RETENTION_SECONDS, run: removeOldRuns },
]
