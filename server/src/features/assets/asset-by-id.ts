import { permit, type Ctx } from '#platform/context.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Asset } from './asset.ts'
import * as assetStore from './asset-store.ts'

/** Throws 404 for an unknown id; for a merged asset, with the survivor's id in `x-merged-into` and the details. */
export async function getAsset(ctx: Ctx, id: string): Promise<Asset> {
  permit(ctx, 'assets:read')
  if (!isUuid(id)) throw notFound('asset')
  const asset = await assetStore.assetById(ctx, id)
  if (asset) return asset
  const survivor = await assetStore.mergedInto(ctx, id)
  if (!survivor) throw notFound('asset')
  throw new Refusal(404, 'not_found', 'asset not found', {
    headers: { 'x-merged-into': survivor },
    details: { mergedInto: survivor },
  })
}
