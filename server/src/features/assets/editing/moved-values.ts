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
  const fieldOf = new Map((await store.fields(ctx)).map((field) => [field.id, field]))
  await announceValues(
    ctx,
    moved.flatMap(({ assetId, fieldId, value }) => {
      const field = fieldOf.get(fieldId)
      const asset = { id: assetId, name: names.get(assetId) ?? '' }
      return field ? [{ asset, field, before: undefined, value }] : []
    }),
  )
}
