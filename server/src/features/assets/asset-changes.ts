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

/** What moved between assets, by the id of the asset that it moved to or from. */
export interface Regrouped {
  /** Ids of assets that are merged into it. */
  readonly joined: ReadonlyMap<string, readonly string[]>
  /** Assets that were split off it. */
  readonly parted: ReadonlyMap<string, readonly ComputedAsset[]>
}

const NOTHING_MOVED: Regrouped = { joined: new Map(), parted: new Map() }

/** The caller holds the tenant's lock. */
export async function changeAssets(
  ctx: Ctx,
  assets: readonly ComputedAsset[],
  { joined, parted }: Regrouped = NOTHING_MOVED,
): Promise<void> {
  if (assets.length === 0) return
  const before = await attributesBefore(ctx, assets)
  addChanges(ctx, fieldChanges(before, assets))
  addChanges(ctx, portChanges(await portsBefore(ctx, assets, joined), assets, parted))
  await store.changeAssets(ctx, assets, before)
}

/** `computed` is in the same order. */
export function regroupedOf(
  assigned: readonly AssignedCluster[],
  computed: readonly { readonly row: ComputedAsset }[],
): Regrouped {
  const parted = new Map<string, ComputedAsset[]>()
  for (const [index, { origin, members }] of assigned.entries()) {
    const [from, asset] = [
      members.find(({ assetId }) => assetId !== undefined)?.assetId,
      computed[index]?.row,
    ]
    if (origin === 'existing' || from === undefined || !asset) continue
    parted.set(from, [...(parted.get(from) ?? []), asset])
  }
  const joining = assigned.filter(({ merged }) => merged.length > 0)
  return { joined: new Map(joining.map(({ assetId, merged }) => [assetId, merged])), parted }
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
