import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { removeOldResults } from './results/results.ts'
import { removeOldTouches } from './touches/touches.ts'
import { runScan } from './running/run-scan.ts'
import { runScanJob } from './scans.ts'
import { moveObservations, moveObservationsJob } from './targets/moved-targets.ts'

export const jobs = [
  worker(runScanJob, (ctx, payload, signal) => runScan(ctx, payload, signal)),
  worker(moveObservationsJob, (ctx, payload, signal) => moveObservations(ctx, payload, signal)),
]

export const every: readonly PeriodicJob[] = [
  { name: 'scans.removeOldResults', everySeconds: 3_600, run: removeOldResults },
  { name: 'scans.removeOldTouches', everySeconds: 3_600, run: removeOldTouches },
]
