import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { backlogJob, recogniseBacklog, enqueueBacklogJobs } from './recognition/recognition-backlog.ts'

export const jobs = [worker(backlogJob, (ctx, _, signal) => recogniseBacklog(ctx, signal))]

export const every: readonly PeriodicJob[] = [
  { name: 'assets.wakeReaders', everySeconds: 60, run: enqueueBacklogJobs },
]
