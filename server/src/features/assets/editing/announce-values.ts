import { addChanges } from '#features/changes/changes.ts'
import { emit } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { customFieldChanged } from '../asset-events.ts'
import { assetsChanged } from '../asset-signals.ts'
import type { Asset } from '../asset.ts'
import { refreshCustomFacets } from './custom-facet-store.ts'
import type { CustomField, CustomValue } from './custom-field.ts'

/** A value that was written, of one asset and field. */
export interface WrittenValue {
  readonly asset: Pick<Asset, 'id' | 'name'>
  readonly field: Pick<CustomField, 'id' | 'name' | 'key'>
  /** Undefined: none. */
  readonly before: CustomValue['value'] | undefined
  /** Null: cleared. */
  readonly value: CustomValue['value'] | null
}

/**
 * What follows from values of custom fields that were written: conditions find them, and each is a change and an event,
 * in the caller's transaction.
 */
export async function announceValues(ctx: Ctx, written: readonly WrittenValue[]): Promise<void> {
  if (written.length === 0) return
  const assetIds = [...new Set(written.map(({ asset }) => asset.id))]
  await refreshCustomFacets(ctx, assetIds)
  await assetsChanged(ctx, assetIds)
  addChanges(
    ctx,
    written.map(({ asset, field, before, value }) => ({
      kind: 'field_changed',
      assetId: asset.id,
      assetName: asset.name,
      subject: `custom_field:${field.name}`,
      before,
      after: value,
    })),
  )
  await emit(
    ctx,
    written.map(({ asset, field: { id, name, key }, before = null, value }) => {
      const field = { id, name, value, operation: value === null ? 'clear' : 'set' } as const
      return customFieldChanged(asset, field, ctx.now(), { custom: { [key]: before } })
    }),
  )
}
