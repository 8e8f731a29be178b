import type { Ctx } from '#platform/context.ts'
import * as store from '../endpoints/endpoint-store.ts'

/** Days for which finished deliveries, their attempts, replays and deleted endpoints are stored. */
const RETENTION_DAYS = 90

/** Creates the daily partitions of the coming days and deletes records older than the retention, of all tenants. */
export async function applyDeliveryRetention(system: Ctx): Promise<void> {
  await store.applyRetention(system, RETENTION_DAYS)
}
