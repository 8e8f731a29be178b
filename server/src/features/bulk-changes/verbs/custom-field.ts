import { changeCustomValues, fieldForValue } from '#features/assets/assets.ts'
import { invalid } from '#platform/errors.ts'
import type { BulkValues } from '../bulk-change.ts'
import type { BulkVerb, Previous } from './verb.ts'

type Value = NonNullable<BulkValues['value']> | null

/** Each asset whose value changes emits one event, also when it is undone. */
export const setField: BulkVerb = {
  name: 'set_field',
  subject: 'asset',
  permission: 'assets:write',
  async check(ctx, { fieldId = '', value }) {
    if (value === undefined) throw invalid('value', 'must be given; null clears')
    const { id } = await fieldForValue(ctx, fieldId, value)
    return { fieldId: id, value }
  },
  async apply(ctx, { fieldId = '', value = null }, assetIds) {
    const field = await fieldForValue(ctx, fieldId, value)
    const changed = await changeCustomValues(ctx, field, assetIds, value)
    return new Map([...changed].map(([id, before]) => [id, { value: before }]))
  },
  async restore(ctx, { fieldId = '' }, previous) {
    // the values were once allowed: choices that were taken away since do not refuse them
    const field = await fieldForValue(ctx, fieldId, null)
    const changed = new Map<string, unknown>()
    for (const [key, ids] of byValue(previous)) {
      const value = JSON.parse(key) as Value
      for (const id of (await changeCustomValues(ctx, field, ids, value)).keys()) changed.set(id, true)
    }
    return changed
  },
}

function byValue(previous: Previous): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [id, before] of previous as ReadonlyMap<string, { readonly value: Value }>) {
    const key = JSON.stringify(before.value)
    groups.set(key, [...(groups.get(key) ?? []), id])
  }
  return groups
}
