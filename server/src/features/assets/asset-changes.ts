import { addChanges, type NewChange } from '#features/changes/changes.ts'
import type { Ctx } from '#platform/context.ts'
import { clustersChanged } from './asset-signals.ts'
import * as store from './asset-store.ts'
import type { ComputedAsset } from './asset.ts'
import { attributesBefore } from './attributes/attributes-before-store.ts'
import { fieldChanges } from './attributes/field-changes.ts'
import { portChanges } from './attributes/port-changes.ts'
import { portsBefore } from './attributes/ports-before-store.ts'
import type { AssignedCluster } from './intake/surviving-assets.ts'

/** Writes of assets together with the changes that readers of the change feed see. */

/** The caller holds the tenant's lock. */
export async function changeAssets(ctx: Ctx, assets: readonly ComputedAsset[]): Promise<void> {
  if (assets.length === 0) return
  const before = await attributesBefore(ctx, assets)
  addChanges(ctx, fieldChanges(before, assets))
  addChanges(ctx, portChanges(await portsBefore(ctx, assets), assets))
  await store.changeAssets(ctx, assets, before)
}

type Stored = ReadonlyMap<string, { readonly name: string }>

/** Assets that appeared, were split off another one or had others merged into them; `computed` is in the same order. */
export async function addClusterChanges(
  ctx: Ctx,
  assigned: readonly AssignedCluster[],
  computed: readonly { readonly row: ComputedAsset }[],
  before: Stored,
): Promise<void> {
  const changes = assigned.flatMap(({ assetId, origin, merged, members }, index): NewChange[] => {
    const asset = { assetId, assetName: computed[index]?.row.name ?? '' }
    if (origin === 'existing')
      return merged.map((id) => ({
        kind: 'asset_merged',
        ...asset,
        subject: before.get(id)?.name ?? '',
        relatedId: id,
      }))
    const from = members.find((member) => member.assetId !== undefined)?.assetId
    if (from === undefined) return [{ kind: 'asset_appeared', ...asset }]
    return [{ kind: 'asset_split', ...asset, subject: before.get(from)?.name ?? '', relatedId: from }]
  })
  addChanges(ctx, changes)
  await clustersChanged(ctx, assigned)
}
