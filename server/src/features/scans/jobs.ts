import { worker } from '#platform/job.ts'
import { runScan } from './run.ts'
import { runScanJob } from './scans.ts'

export const jobs = [worker(runScanJob, runScan)]
