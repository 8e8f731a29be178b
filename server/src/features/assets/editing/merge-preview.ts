import { dryRun, type Ctx } from '#platform/context.ts'
import type { Asset } from '../asset.ts'
import { getAsset } from '../asset-by-id.ts'
import { mergeAssets, unlinkObservations } from './merge-and-unlink.ts'

/**
 * Previews merge and unlink by doing them in a transaction that is rolled back, so preview and result cannot differ.
 */

const reason = 'preview'

/** The asset that both would become. */
export function previewMerge(ctx: Ctx, pair: { assetIdA: string; assetIdB: string }): Promise<Asset> {
  return dryRun(ctx, (inner) => mergeAssets(inner, { ...pair, reason }))
}

export interface UnlinkPreview {
  readonly remaining: Asset
  readonly separated: readonly Asset[]
}

export function previewUnlink(
  ctx: Ctx,
  request: { assetId: string; observationIds: readonly string[] },
): Promise<UnlinkPreview> {
  return dryRun(ctx, async (inner) => {
    const separated = await unlinkObservations(inner, { ...request, reason })
    return { remaining: await getAsset(inner, request.assetId), separated }
  })
}
