import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { generateReport } from './generating/generate-report.ts'
import { generateReportJob } from './generating/report-job.ts'
import { writeInventoryDays } from './inventory-days.ts'
import { removeOldSnapshots } from './retention/retention.ts'
import { startScheduled, startScheduledJob } from './schedules/schedules.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

export const jobs = [
  worker(generateReportJob, (ctx, payload, signal) => generateReport(ctx, payload, signal)),
  worker(startScheduledJob, (ctx, payload) => startScheduled(ctx, payload)),
]

export const every: readonly PeriodicJob[] = [
  { name: 'reports.writeInventoryDays', everySeconds: DAY_SECONDS, run: writeInventoryDays },
  { name: 'reports.removeOldSnapshots', everySeconds: HOUR_SECONDS, run: removeOldSnapshots },
]
