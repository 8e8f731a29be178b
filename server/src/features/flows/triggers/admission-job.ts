import { atomically, type Ctx } from '#platform/context.ts'
import type { Db } from '#platform/database/database.ts'
import { enqueue, job } from '#platform/jobs/job.ts'

/** What it is for waits until it succeeds, so it survives as many crashes as a run does. */
const TRIES_MAX = 100
const RETRY_SECONDS_MAX = 15

/** Asks conditions and guards of the tenant's new runs. */
export const admitRunsJob = job<Record<string, never>>('flows.admitRuns', TRIES_MAX, {
  retrySecondsMax: RETRY_SECONDS_MAX,
  doesAll: true,
})

/** In the caller's transaction, which gets one job however often it asks; it waits for no other transaction. */
export function wantAdmission(ctx: Ctx): Promise<void> {
  return atomically(ctx, async ({ db }) => db.beforeCommit(enqueueAdmission, ctx))
}

async function enqueueAdmission(db: Db, asked: readonly Ctx[]): Promise<void> {
  for (const ctx of new Map(asked.map((it) => [it.tenantId, it])).values())
    await enqueue({ ...ctx, db }, admitRunsJob, {})
}
