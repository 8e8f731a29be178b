import { atomically, permit, type Ctx } from '#platform/context.ts'
import type { Asset } from '../asset.ts'
import { getAsset } from '../asset-by-id.ts'
import { toChange } from '../editing/change-within-limit.ts'
import { lockTenant } from '../intake/observation-read-store.ts'
import { archiveAssets, byActor, recordAbout, reviveAssets } from './archive-changes.ts'

/**
 * Archived assets are out of lists, counts, exports and risk; a sighting or a person revives them. Neither is an event:
 * nothing was found or deleted.
 */

/** One that is archived already stays as it is; 404 for an unknown one. */
export async function archiveAsset(ctx: Ctx, id: string): Promise<Asset> {
  permit(ctx, 'assets:write')
  return atomically(await toChange(ctx, [id]), async (inner) => {
    await lockTenant(inner)
    await getAsset(inner, id)
    const archived = await archiveAssets(inner, [{ id, at: inner.now(), by: byActor(inner) }])
    await recordAbout(inner, 'asset.archived', archived)
    return getAsset(inner, id)
  })
}

export async function reviveAsset(ctx: Ctx, id: string): Promise<Asset> {
  permit(ctx, 'assets:write')
  return atomically(await toChange(ctx, [id]), async (inner) => {
    await lockTenant(inner)
    await getAsset(inner, id)
    await recordAbout(inner, 'asset.revived', await reviveAssets(inner, [id]))
    return getAsset(inner, id)
  })
}
