import { atomically, type Ctx } from '#platform/context.ts'
import { job } from '#platform/jobs/job.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import { lockTenant } from '../intake/observation-read-store.ts'
import * as store from './custom-facet-store.ts'

/** Queued by the migration that added the column, for tenants that had values before. */
export const customFacetsJob = job<Record<string, never>>('assets.refreshCustomValues')

const ASSETS_PER_COMMIT = 500

/** Safe to repeat. */
export async function refreshAllCustomFacets(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let after: string | undefined = NIL_UUID; after !== undefined && !signal?.aborted;) {
    const from: string = after
    after = await atomically(ctx, async (inner) => {
      await lockTenant(inner)
      const ids = await store.assetsWithValues(inner, from, ASSETS_PER_COMMIT)
      await store.refreshCustomFacets(inner, ids)
      return ids.at(-1)
    })
  }
}
