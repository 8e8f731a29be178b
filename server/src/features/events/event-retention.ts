import type { Ctx } from '#platform/context.ts'
import * as store from './store.ts'

/** Days for which an event is stored and can be replayed. */
const RETENTION_DAYS = 30

/** Creates the daily partitions of the coming days and drops those older than the retention. */
export async function applyEventRetention(system: Ctx): Promise<void> {
  await store.applyRetention(system, RETENTION_DAYS)
}
