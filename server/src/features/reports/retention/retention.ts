import { listTenants } from '#features/tenancy/tenancy.ts'
import { permit, type Ctx } from '#platform/context.ts'
import * as store from './retention-store.ts'

const LIMITS: store.RetentionLimits = {
  snapshotsMax: 10,
  days: 400,
  datasetDays: 90,
  bytesMax: 5_000_000_000,
}

/** Removes what is kept no longer, of every tenant. */
export async function removeOldSnapshots(system: Ctx): Promise<void> {
  permit(system, 'reports:write')
  for (const { id: tenantId } of await listTenants(system)) {
    const ctx = { ...system, tenantId }
    await store.removeOldSnapshots(ctx, LIMITS)
    await store.removeOldDatasets(ctx, LIMITS)
    await store.removeBeyond(ctx, LIMITS)
  }
}
