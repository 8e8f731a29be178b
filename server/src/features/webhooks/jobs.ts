import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { disableFailing } from './endpoints/auto-disable.ts'
import { applyDeliveryRetention } from './history/delivery-retention.ts'
import { replayJob, runReplay } from './history/replay.ts'

export const jobs = [worker(replayJob, runReplay)]

export const every: readonly PeriodicJob[] = [
  { name: 'webhooks.keepRecent', everySeconds: 3_600, run: applyDeliveryRetention },
  { name: 'webhooks.disableFailing', everySeconds: 600, run: disableFailing },
]
