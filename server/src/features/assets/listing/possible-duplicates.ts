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
  /** Above 0, up to 1; 0 when the pair was only suggested. */
  readonly score: number
  readonly reasons: readonly Reason[]
  /** The veto that prevents an automatic merge; null if there is none. */
  readonly veto: unknown
  /** Who takes them for one, and why; null: nobody said so. */
  readonly suggestion: store.Suggestion | null
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
  const pairs = items.flatMap(({ assetIdA, assetIdB, score, reasons, veto, suggestion }) => {
    const [assetA, assetB] = [assets.get(assetIdA), assets.get(assetIdB)]
    return assetA && assetB ? [{ assetA, assetB, score, reasons: reasons as Reason[], veto, suggestion }] : []
  })
  return { items: pairs, total }
}
