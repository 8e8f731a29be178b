import type { Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { isJobQueued } from '../adoption-store.ts'

/** A round over all checks of the tenant. */
export const evaluateJob = job<Record<string, never>>('compliance.evaluate')

/** In the caller's transaction; nothing where a round waits already, which will see what is written here. */
export async function enqueueEvaluation(ctx: Ctx): Promise<void> {
  if (!(await isJobQueued(ctx, evaluateJob.name))) await enqueue(ctx, evaluateJob, {})
}
