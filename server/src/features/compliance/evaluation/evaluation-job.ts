import type { Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { countJobsAtWork, isJobQueued } from '../adoption-store.ts'

/** A round over all checks of the tenant. */
export const evaluateJob = job<Record<string, never>>('compliance.evaluate')

/** What an hour asks for. */
export const evaluateInTurnJob = job<Record<string, never>>('compliance.evaluateInTurn')

const LOOK_AGAIN_MS = 10_000

/** In the caller's transaction; nothing where a round waits already, which will see what is written here. */
export async function enqueueEvaluation(ctx: Ctx): Promise<void> {
  if (!(await isJobQueued(ctx, evaluateJob.name))) await enqueue(ctx, evaluateJob, {})
}

/** In the caller's transaction; nothing where one waits already. */
export async function enqueueInTurn(ctx: Ctx): Promise<void> {
  if (!(await isJobQueued(ctx, evaluateInTurnJob.name))) await enqueue(ctx, evaluateInTurnJob, {})
}

/**
 * For a job that begins. Another one at work has begun before what this one is for, so a round follows that; two at once
 * would judge everything twice. Two that meet both leave, and the one that they ask for meets none.
 */
export async function leaveToAnother(ctx: Ctx): Promise<boolean> {
  if ((await countJobsAtWork(ctx, evaluateJob.name)) < 2) return false
  if (!(await isJobQueued(ctx, evaluateJob.name)))
    await enqueue(ctx, evaluateJob, {}, new Date(ctx.now().getTime() + LOOK_AGAIN_MS))
  return true
}
