import { emit } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { customFieldChanged } from '../asset-events.ts'
import type { Asset } from '../asset.ts'
import type { MovedValue } from '../asset-store.ts'
import { refreshCustomFacets } from './custom-facet-store.ts'
import * as store from './custom-field-store.ts'

/**
 * Values of custom fields that a merge gave to survivors: each was set there, so each emits an event. `survivors` are
 * assets, among them the survivors.
 */
export async function announceMovedValues(
  ctx: Ctx,
  moved: readonly MovedValue[],
  survivors: readonly Pick<Asset, 'id' | 'name'>[],
): Promise<void> {
  if (moved.length === 0) return
  await refreshCustomFacets(ctx, [...new Set(moved.map(({ assetId }) => assetId))])
  const names = new Map(survivors.map(({ id, name }) => [id, name]))
  const nameOf = new Map((await store.fields(ctx)).map(({ id, name }) => [id, name]))
  await emit(
    ctx,
    moved.map(({ assetId, fieldId, value }) =>
      customFieldChanged(
        { id: assetId, name: names.get(assetId) ?? '' },
        { id: fieldId, name: nameOf.get(fieldId) ?? '', value, operation: 'set' },
        ctx.now(),
      ),
    ),
  )
}
