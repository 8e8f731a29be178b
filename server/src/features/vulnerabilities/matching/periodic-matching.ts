import { changesSince, listLifecycles } from '#features/advisories/advisories.ts'
import { endOfSystem, lifecyclesOf, systemsInUse } from '#features/software/software.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import * as dueStore from './matching-queue-store.ts'
import { followJob, matchJob, matchLater } from './matching.ts'
import { followTags } from '../overrides/overrides.ts'
import * as riskStore from '../risk/risk-store.ts'
import * as settleStore from '../findings/finding-status-store.ts'
import { rescoreAssets } from '../findings/sync-findings.ts'

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

/** Tags and the ends of operating systems change without a word; what rests on them follows within the hour. */
export async function followSurroundings(system: Ctx): Promise<void> {
  const lifecycles = lifecyclesOf(await listLifecycles(system))
  const today = system.now().toISOString().slice(0, DAY_LENGTH)
  for (const tenantId of await riskStore.tenants(system)) {
    const ctx = { ...system, tenantId }
    await followTags(ctx)
    const systems = await systemsInUse(ctx)
    const ended = systems.filter((it) => endOfSystem(lifecycles, it, today)?.isEnded)
    await atomically(ctx, async (inner) => {
      await settleStore.lockTenant(inner)
      await rescoreAssets(inner, await riskStore.markEndOfLife(inner, ended))
    })
  }
}
const DAY_LENGTH = 'YYYY-MM-DD'.length
