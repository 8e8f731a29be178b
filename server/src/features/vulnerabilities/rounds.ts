import { changesSince } from '#features/advisories/advisories.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/job.ts'
import * as dueStore from './due-store.ts'
import { followJob, matchJob, matchLater } from './matching.ts'

/** What nobody asked for and must be done all the same. */

/** Nothing has a generation before the first. */
const BEFORE_ALL = 0
const ASSETS_MAX = 10_000

/** Tenants that are behind the catalogue follow it; marks that a dying process left behind are worked on. */
export async function wakeTenants(system: Ctx): Promise<void> {
  const { generation } = await changesSince(system, BEFORE_ALL)
  for (const { tenantId, isBehind } of await dueStore.tenantsBehind(system, generation)) {
    const work = isBehind ? followJob : matchJob
    await atomically({ ...system, tenantId }, async (inner) => {
      if (!(await dueStore.isWaiting(inner, work.name))) await enqueue(inner, work, {})
    })
  }
}

/** What was missed in one inventory is looked at again after the next. */
export async function confirmMissed(system: Ctx): Promise<void> {
  for (const tenantId of await dueStore.tenantsWithMissed(system))
    await atomically({ ...system, tenantId }, async (inner) =>
      matchLater(inner, await dueStore.missed(inner, ASSETS_MAX)),
    )
}
