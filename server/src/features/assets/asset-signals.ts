import { sendSignal } from '#features/events/events.ts'
import { batchesOf } from '#platform/batches.ts'
import type { Ctx } from '#platform/context.ts'

const ASSETS_AT_ONCE = 500

/**
 * Tells features that what conditions read of these assets may have changed, in the transaction of the change and after
 * its writes; for features that own such facts. Assets that are gone may be among them.
 */
export async function assetsChanged(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  for (const some of batchesOf([...new Set(assetIds)], ASSETS_AT_ONCE))
    await sendSignal(ctx, 'assets.changed', { asset_ids: some })
}

interface Cluster {
  readonly assetId: string
  /** Assets that were merged into it. */
  readonly merged: readonly string[]
}

const assetsIn = (clusters: readonly Cluster[]): string[] =>
  clusters.flatMap(({ assetId, merged }) => [assetId, ...merged])

/** As `assetsChanged`, for assets whose observations changed and those that were merged into them. */
export const clustersChanged = (ctx: Ctx, clusters: readonly Cluster[]): Promise<void> =>
  assetsChanged(ctx, assetsIn(clusters))

/** For writes that say nothing about other assets than those of the clusters. */
export const aboutClusters = (ctx: Ctx, clusters: readonly Cluster[]): Ctx => ({
  ...ctx,
  db: { ...ctx.db, ...ctx.db.about(assetsIn(clusters)) },
})
