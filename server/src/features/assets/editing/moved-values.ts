import type { Ctx } from '#platform/context.ts'
import type { Asset } from '../asset.ts'
import type { MovedValue } from '../asset-store.ts'
import { announceValues } from './announce-values.ts'
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
  const names = new Map(survivors.map(({ id, name }) => [id, name]))
  const nameOf = new Map((await store.fields(ctx)).map(({ id, name }) => [id, name]))
  await announceValues(
    ctx,
    moved.map(({ assetId, fieldId, value }) => ({
      asset: { id: assetId, name: names.get(assetId) ?? '' },
      field: { id: fieldId, name: nameOf.get(fieldId) ?? '' },
      before: undefined,
      value,
    })),
  )
}
