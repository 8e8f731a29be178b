import type { Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { isJobWaiting } from './new-run-store.ts'

/** Asks conditions and guards of the tenant's new runs. */
export const admitRunsJob = job<Record<string, never>>('flows.admitRuns')

/** One job for all that is asked for at about the same time. */
export async function wantAdmission(ctx: Ctx): Promise<void> {
  if (!(await isJobWaiting(ctx, admitRunsJob.name))) await enqueue(ctx, admitRunsJob, {})
}
