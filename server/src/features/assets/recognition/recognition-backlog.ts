import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { confidenceChanged, updatedAsset } from '../asset-events.ts'
import { changeAssets } from '../asset-changes.ts'
import { assetsChanged } from '../asset-signals.ts'
import { assetsById } from '../asset-store.ts'
import { describe } from '../attributes/asset-values.ts'
import { observedOfAssets } from '../intake/observation-read-store.ts'
import { ASSETS_AT_ONCE, inSmallBatches } from '../intake/small-batches.ts'
import * as store from './recognition-backlog-store.ts'

/**
 * Works out anew what is computed of assets: those without a device type, stored before recognition existed or its rules
 * changed, and those whose facets are of an earlier generation.
 */

export const backlogJob = job<Record<string, never>>('assets.readUnread')

export async function enqueueBacklogJobs(system: Ctx): Promise<void> {
  for (const tenantId of await store.tenantsWithBacklog(system))
    await atomically({ ...system, tenantId }, async (inner) => {
      if (!(await store.isWaiting(inner, backlogJob.name))) await enqueue(inner, backlogJob, {})
    })
}

/** Recomputes them from stored observations; a notable rise of confidence emits UPDATED_ASSET. */
export async function recogniseBacklog(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await inSmallBatches(ctx, recogniseBatch, signal)
}

async function recogniseBatch(ctx: Ctx): Promise<boolean> {
  const ids = await store.backlog(ctx, ASSETS_AT_ONCE)
  await describeAnew(ctx, ids)
  return ids.length === ASSETS_AT_ONCE
}

/** Writes what is computed of these assets, from stored observations. The caller holds the tenant's lock. */
export async function describeAnew(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const before = await assetsById(ctx, ids)
  const members = Map.groupBy(await observedOfAssets(ctx, ids), ({ assetId }) => assetId)
  const read = before.map((asset) => {
    const observations = members.get(asset.id) ?? []
    const { row } = describe(asset.id, observations, asset)
    return {
      row,
      observations,
      before: asset,
      isMoreConfident: confidenceChanged(asset.confidence, row.confidence),
    }
  })
  await changeAssets(
    ctx,
    read.map(({ row }) => row),
  )
  await assetsChanged(ctx, ids)
  const change = { fields: ['confidence'], at: ctx.now() }
  const moreConfident = read.filter(({ isMoreConfident }) => isMoreConfident)
  await emit(
    ctx,
    moreConfident.map(({ row, observations, before: asset }) =>
      updatedAsset(row, observations, { ...change, before: asset }),
    ),
  )
}
