import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { removeOldResults } from './results/results.ts'
import { removeOldTouches } from './touches/touches.ts'
import { runScan } from './running/run-scan.ts'
import { runScanJob } from './scans.ts'

export const jobs = [worker(runScanJob, (ctx, payload, signal) => runScan(ctx, payload, signal))]

export const every: readonly PeriodicJob[] = [
  { name: 'scans.removeOldResults', everySeconds: 3_600, run: removeOldResults },
  { name: 'scans.removeOldTouches', everySeconds: 3_600, run: removeOldTouches },
]
