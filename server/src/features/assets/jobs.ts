import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { readJob, readUnread, wakeReaders } from './recognition/recognition-backlog.ts'

export const jobs = [worker(readJob, (ctx, _, signal) => readUnread(ctx, signal))]

export const every: readonly PeriodicJob[] = [
  { name: 'assets.wakeReaders', everySeconds: 60, run: wakeReaders },
]
