import { listTenants } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { removeEnded } from './run-store.ts'

/** How long ended runs stay with their steps. */
const KEPT_DAYS = 90
const DAY_MS = 24 * 3_600_000
/** How many runs one transaction removes. */
const BATCH = 1_000

/** For all tenants, also those whose flows are off. */
export async function removeOldRuns(system: Ctx): Promise<void> {
  const before = new Date(system.now().getTime() - KEPT_DAYS * DAY_MS)
  for (const { id: tenantId } of await listTenants(system))
    while ((await removeEnded({ ...system, tenantId }, { before, limit: BATCH })) === BATCH);
}
