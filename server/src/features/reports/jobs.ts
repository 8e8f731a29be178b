import { worker } from '#platform/jobs/job.ts'
import { generateReport } from './generating/generate-report.ts'
import { generateReportJob } from './generating/report-job.ts'

export const jobs = [
  worker(generateReportJob, (ctx, payload, signal) => generateReport(ctx, payload, signal)),
]
