import { addChanges } from '#features/changes/changes.ts'
import { emit } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { deletedAsset } from '../asset-events.ts'
import * as assetStore from '../asset-store.ts'
import { HOLDERS_MAX } from '../identity/shared-identifier-values.ts'
import * as readStore from '../intake/observation-read-store.ts'
import * as writeStore from '../intake/observation-write-store.ts'
import { recluster } from '../intake/recluster.ts'

/**
 * Deletes those of the assets that are there, with their observations; at most 1,000, in the caller's transaction and
 * without an audit entry. Returns their names by id.
 */
export async function deleteAssets(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  await readStore.lockTenant(ctx)
  const assets = await assetStore.lockAssetsToDelete(ctx, ids)
  const names = new Map(assets.map(({ id, name }) => [id, name]))
  if (names.size === 0) return names
  const found = [...names.keys()]
  const values = (await readStore.observedOfAssets(ctx, found)).flatMap(({ identifiers }) => identifiers)
  addChanges(
    ctx,
    assets.map(({ id, name }) => ({ kind: 'asset_deleted', assetId: id, assetName: name })),
  )
  // emitted while the observations exist: handlers in this transaction delete what refers to them
  await emit(
    ctx,
    assets.map((asset) => deletedAsset(asset)),
  )
  await writeStore.removeObservationsOf(ctx, found)
  await assetStore.removeAssets(ctx, found)
  const holders = await readStore.holdersOf(ctx, values, HOLDERS_MAX)
  const recheck = await readStore.observedById(ctx, [...new Set(holders.map((it) => it.observationId))])
  if (recheck.length > 0) await recluster(ctx, { changed: [], recheck })
  return names
}
