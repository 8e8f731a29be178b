import { permit, type Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Asset } from '../asset.ts'
import { assetsInOrder } from '../asset-store.ts'
import type { Reason } from '../identity/evidence.ts'
import * as store from './possible-duplicates-store.ts'

/** Two assets that may be the same. */
export interface PossibleDuplicate {
  readonly assetA: Asset
  readonly assetB: Asset
  readonly score: number
  readonly reasons: readonly Reason[]
  /** The veto that prevents an automatic merge; null if there is none. */
  readonly veto: unknown
}

/** Highest score first; of the whole tenant, or of one asset. */
export async function listDuplicates(
  ctx: Ctx,
  page: Page,
  assetId?: string,
): Promise<Listed<PossibleDuplicate>> {
  permit(ctx, 'assets:read')
  if (assetId !== undefined && !isUuid(assetId)) return { items: [], total: 0 }
  const { items, total } = await store.candidatePairs(ctx, page, assetId)
  const ids = [...new Set(items.flatMap(({ assetIdA, assetIdB }) => [assetIdA, assetIdB]))]
  const assets = new Map((await assetsInOrder(ctx, ids)).map((asset) => [asset.id, asset]))
  const pairs = items.flatMap(({ assetIdA, assetIdB, score, reasons, veto }) => {
    const [assetA, assetB] = [assets.get(assetIdA), assets.get(assetIdB)]
    return assetA && assetB ? [{ assetA, assetB, score, reasons: reasons as Reason[], veto }] : []
  })
  return { items: pairs, total }
}
