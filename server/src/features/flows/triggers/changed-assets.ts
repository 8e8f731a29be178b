import { atomically, type Ctx } from '#platform/context.ts'
import type { Db } from '#platform/database/database.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import * as store from './query-store.ts'

const TRIES_MAX = 100
const RETRY_SECONDS_MAX = 15

/** Asks query triggers about the assets that changed. */
export const askAboutChangedJob = job<Record<string, never>>('flows.askAboutChanged', TRIES_MAX, {
  retrySecondsMax: RETRY_SECONDS_MAX,
  doesAll: true,
})

/** Changes of a few seconds are asked about together. */
const GATHERED_MS = 2_000

/** In the transaction of the change. */
export async function noteChangedAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if ((await store.noteChanged(ctx, [...new Set(assetIds)].sort(), ctx.cause)) > 0)
    await atomically(ctx, async ({ db }) => db.beforeCommit(enqueueAsking, ctx))
}

async function enqueueAsking(db: Db, asked: readonly Ctx[]): Promise<void> {
  for (const ctx of new Map(asked.map((it) => [it.tenantId, it])).values())
    await enqueue({ ...ctx, db }, askAboutChangedJob, {}, new Date(ctx.now().getTime() + GATHERED_MS))
}
