import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { enqueueDue, removeOldNotices, sendDue } from './delivery/send-due.ts'
import { sendDueJob } from './delivery/send-due-job.ts'

export const jobs = [worker(sendDueJob, (ctx, _, signal) => sendDue(ctx, signal))]

export const every: readonly PeriodicJob[] = [
  { name: 'notices.enqueueDue', everySeconds: 30, run: enqueueDue },
  { name: 'notices.removeOld', everySeconds: 86_400, run: removeOldNotices },
]
