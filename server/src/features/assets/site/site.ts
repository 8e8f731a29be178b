import { atomically, type Ctx } from '#platform/context.ts'
import { enqueueOnce, job } from '#platform/jobs/job.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import { lockTenant } from '../intake/observation-read-store.ts'
import { assetsChanged } from '../asset-signals.ts'
import * as store from './site-store.ts'

/** The site of each asset, stored with it. Places belong to the feature `records`, which says when they change. */

export const siteJob = job<Record<string, never>>('assets.updateSites')

const ASSETS_PER_COMMIT = 1_000

/**
 * Held until the end of the transaction: no other one writes sites, or assets that sources report. To be taken before
 * rows of records are locked, because the intake takes it first.
 */
export async function lockSites(ctx: Ctx): Promise<void> {
  await lockTenant(ctx)
}

/** After the recorded places of these assets changed, in the same transaction. The caller holds `lockSites`. */
export async function updateSites(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if (assetIds.length === 0) return
  await store.updateSites(ctx, assetIds)
  await assetsChanged(ctx, assetIds)
}

/** After places or their networks changed, in the same transaction. */
export async function updateAllSitesLater(ctx: Ctx): Promise<void> {
  await enqueueOnce(ctx, siteJob, {})
}

/** Safe to repeat. Each batch waits for transactions that wrote assets with the places as they were. */
export async function updateAllSites(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let after: string | undefined = NIL_UUID; after !== undefined && !signal?.aborted;) {
    const from: string = after
    after = await atomically(ctx, async (inner) => {
      await lockTenant(inner)
      const ids = await store.idsAfter(inner, from, ASSETS_PER_COMMIT)
      await updateSites(inner, ids)
      return ids.at(-1)
    })
  }
}
