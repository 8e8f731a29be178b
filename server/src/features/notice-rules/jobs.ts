import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { roundJob } from './running/on-event.ts'
import { enqueueRounds, runRound } from './running/round.ts'

export const jobs = [worker(roundJob, (ctx, _, signal) => runRound(ctx, signal))]

export const every: readonly PeriodicJob[] = [
  { name: 'notice-rules.enqueueRounds', everySeconds: 60, run: enqueueRounds },
]
