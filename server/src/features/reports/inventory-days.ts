import { findPlaces } from '#features/records/records.ts'
import { listTenants } from '#features/tenancy/tenancy.ts'
import { permit, type Ctx } from '#platform/context.ts'
import * as store from './inventory-days-store.ts'

/** Writes the counts of the day for every tenant, for the reports that look back. Once a day is enough. */
export async function writeInventoryDays(system: Ctx): Promise<void> {
  permit(system, 'assets:read')
  const day = system.now().toISOString().slice(0, 10)
  for (const { id: tenantId } of await listTenants(system)) {
    const ctx = { ...system, tenantId }
    await store.writeDay(ctx, day, await findPlaces(ctx))
  }
}
