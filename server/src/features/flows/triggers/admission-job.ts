import type { Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { isJobWaiting } from './new-run-store.ts'

/** What it is for waits until it succeeds, so it survives as many crashes as a run does. */
const TRIES_MAX = 100

/** Asks conditions and guards of the tenant's new runs. */
export const admitRunsJob = job<Record<string, never>>('flows.admitRuns', TRIES_MAX)

/** One job for all that is asked for at about the same time. */
export async function wantAdmission(ctx: Ctx): Promise<void> {
  if (!(await isJobWaiting(ctx, admitRunsJob.name))) await enqueue(ctx, admitRunsJob, {})
}
