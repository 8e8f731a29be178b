import type { Ctx } from '#platform/context.ts'
import * as store from './inventory-store.ts'

/** Days for which installations, removals and updates are stored. */
const RETENTION_DAYS = 400
const DAY_MS = 86_400_000

/** Deletes software history older than the retention, of all tenants. */
export async function deleteOldChanges(system: Ctx): Promise<void> {
  await store.removeChangesBefore(system, new Date(system.now().getTime() - RETENTION_DAYS * DAY_MS))
}
