import { atomically, type Ctx } from '#platform/context.ts'
import { enqueueOnce, job } from '#platform/jobs/job.ts'
import { endInTransaction, getOverride } from './overrides.ts'
import * as store from './override-store.ts'
import * as statusStore from '../findings/finding-status-store.ts'

/** Ends overrides whose `expires_at` has passed; their findings are recomputed. */

/** A job, because it has to write as the tenant: what the engines write replaces no version of a tenant. */
export const endExpiredJob = job<Record<string, never>>('vulnerabilities.endExpired')

const AT_ONCE = 100

export async function enqueueExpired(system: Ctx): Promise<void> {
  for (const tenantId of await store.tenantsWithExpired(system))
    await atomically({ ...system, tenantId }, (inner) => enqueueOnce(inner, endExpiredJob, {}))
}

/** What is left over is ended by the next job. */
export async function endExpired(ctx: Ctx): Promise<void> {
  for (const id of await store.expired(ctx, AT_ONCE))
    await atomically(ctx, async (inner) => {
      await statusStore.lockFindings(inner)
      const found = await getOverride(inner, id)
      if (found.state !== 'ended') await endInTransaction(inner, found, 'its time is up')
    })
}
