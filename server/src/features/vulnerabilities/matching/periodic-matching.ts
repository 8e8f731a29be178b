import { changesSince, feedsReadAt, listLifecycles } from '#features/advisories/advisories.ts'
import { endOfSystem, lifecyclesOf, systemsInUse } from '#features/software/software.ts'
import { decideEnds } from '#features/lifecycles/lifecycles.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, enqueueOnce, job } from '#platform/jobs/job.ts'
import * as queueStore from './matching-queue-store.ts'
import { catalogueJob, matchJob, enqueueMatching } from './matching.ts'
import { reapplyOverridesByAsset } from '../overrides/overrides.ts'
import * as riskStore from '../risk/risk-store.ts'
import * as statusStore from '../findings/finding-status-store.ts'
import { recomputeRiskScores } from '../findings/sync-findings.ts'

/** Periodic jobs of matching. */

/** Lower than every generation of the catalogue. */
const BEFORE_ALL = 0
const ASSETS_MAX = 10_000
const RESCORED_AT_ONCE = 2_000

/** Enqueues a job for each tenant behind the catalogue, and for queues that a crashed process left. */
export async function enqueueOverdueTenants(system: Ctx): Promise<void> {
  const { generation } = await changesSince(system, BEFORE_ALL)
  for (const { tenantId, isBehind } of await queueStore.tenantsBehind(system, generation)) {
    const work = isBehind ? catalogueJob : matchJob
    await atomically({ ...system, tenantId }, async (inner) => {
      if (!(await queueStore.isJobQueued(inner, work.name))) await enqueue(inner, work, {})
    })
  }
}

/** Queues assets with a missed match that were inventoried again, so that the match ends or returns. */
export async function recheckMissedMatches(system: Ctx): Promise<void> {
  for (const tenantId of await queueStore.tenantsWithMissedMatches(system))
    await atomically({ ...system, tenantId }, async (inner) =>
      enqueueMatching(inner, await queueStore.assetsWithMissedMatches(inner, ASSETS_MAX)),
    )
}

/** A job, because it has to write, and to read as conditions do, as the tenant. */
export const recheckJob = job<Record<string, never>>('vulnerabilities.recheckTagsAndLifecycles')

export async function enqueueRechecks(system: Ctx): Promise<void> {
  for (const tenantId of await riskStore.tenants(system))
    await atomically({ ...system, tenantId }, (inner) => enqueueOnce(inner, recheckJob, {}))
}

/**
 * Tags, what conditions ask and ends of life change without an event: reapplies overrides by tag or condition and
 * recomputes end-of-life factors.
 */
export async function recheckTagsAndLifecycles(ctx: Ctx): Promise<void> {
  await noteFeedsAndEnds(ctx)
  await rescoreByThisModel(ctx)
  const lifecycles = lifecyclesOf(await listLifecycles(ctx))
  const today = ctx.now().toISOString().slice(0, DAY_LENGTH)
  await reapplyOverridesByAsset(ctx)
  const systems = await systemsInUse(ctx)
  const ended = systems.filter((it) => endOfSystem(lifecycles, it, today)?.isEnded)
  await atomically(ctx, async (inner) => {
    await statusStore.lockFindings(inner)
    await recomputeRiskScores(inner, await riskStore.markEndOfLife(inner, ended))
  })
}

/** After an upgrade that changed the formula. */
async function rescoreByThisModel(ctx: Ctx): Promise<void> {
  for (let isMore = true; isMore;)
    isMore = await atomically(ctx, async (inner) => {
      await statusStore.lockFindings(inner)
      const ids = await riskStore.assetsOfEarlierModels(inner, RESCORED_AT_ONCE)
      await recomputeRiskScores(inner, ids)
      return ids.length === RESCORED_AT_ONCE
    })
}

/** Writes for conditions as of when the feeds in use are, and when support of what is installed ends. */
export async function noteFeedsAndEnds(ctx: Ctx): Promise<void> {
  const readAt = await feedsReadAt(ctx)
  await atomically(ctx, (inner) => queueStore.writeFeedsRead(inner, readAt))
  await decideEnds(ctx, 'all')
}

const DAY_LENGTH = 'YYYY-MM-DD'.length
