import { listTenants } from '#features/tenancy/tenancy.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueueOnce, job } from '#platform/jobs/job.ts'
import { assetsChanged } from '../asset-signals.ts'
import { ASSETS_AT_ONCE, inSmallBatches } from '../intake/small-batches.ts'
import * as store from './stale-store.ts'

/**
 * Stale assets: no source has seen them for longer than expected (`staleAfterDaysOf`). They stay in lists, are out of
 * checks and the overview of risk, and the intake takes the mark away with the next sighting.
 */

export const staleJob = job<Record<string, never>>('assets.noteStale')

export async function enqueueStaleJobs(system: Ctx): Promise<void> {
  for (const { id: tenantId } of await listTenants(system))
    await atomically({ ...system, tenantId }, async (inner) => {
      if (await store.hasOverdue(inner)) await enqueueOnce(inner, staleJob, {})
    })
}

/** Worker: marks what is overdue, in small transactions between those of the intake. */
export async function noteStale(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  let last: store.Overdue | undefined
  await inSmallBatches(
    ctx,
    async (inner) => {
      last = await noteSome(inner, last)
      return last !== undefined
    },
    signal,
  )
}

/** Under the tenant's lock. Answers where to go on; undefined when there are no more. */
async function noteSome(ctx: Ctx, after: store.Overdue | undefined): Promise<store.Overdue | undefined> {
  const some = await store.someOverdue(ctx, ASSETS_AT_ONCE, after)
  const ids = some.map(({ id }) => id)
  await store.markStale(ctx, ids)
  await assetsChanged(ctx, ids)
  return some.length === ASSETS_AT_ONCE ? some.at(-1) : undefined
}
