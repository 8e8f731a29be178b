import type { Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { isJobWaiting } from './new-run-store.ts'
import * as store from './query-store.ts'

/** Asks query triggers about the assets that changed. */
export const askAboutChangedJob = job<Record<string, never>>('flows.askAboutChanged')

/** Changes of a few seconds are asked about together. */
const GATHERED_MS = 2_000

/** In the transaction of the change. */
export async function noteChangedAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if ((await store.noteChanged(ctx, [...new Set(assetIds)].sort(), ctx.cause?.flowIds ?? [])) === 0) return
  if (!(await isJobWaiting(ctx, askAboutChangedJob.name)))
    await enqueue(ctx, askAboutChangedJob, {}, new Date(ctx.now().getTime() + GATHERED_MS))
}
