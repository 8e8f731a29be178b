import { permit, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { lockAssets } from '../asset-store.ts'
import { lockTenant } from '../intake/observation-read-store.ts'
import { announceValues } from './announce-values.ts'
import type { CustomField, CustomValue } from './custom-field.ts'
import * as store from './custom-field-store.ts'
import { checkValue } from './custom-values.ts'

/** Custom fields in files: texts of cells, and many values at once. */

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['1', true],
  ['no', false],
  ['false', false],
  ['0', false],
])

/** The field that a column such as `custom.cost_centre` means, by its key of now or an earlier one. */
export const customFieldOfColumn = (
  fields: readonly CustomField[],
  column: string,
): CustomField | undefined => {
  const key = column.replace(/^custom\./, '')
  return fields.find((it) => it.key === key) ?? fields.find(({ aliases }) => aliases.includes(key))
}

/** A cell as a value of the field; `why` it is none otherwise. */
export function readCustomValue(
  field: CustomField,
  text: string,
): { readonly value: CustomValue['value'] } | { readonly why: string } {
  const value =
    field.kind === 'number'
      ? Number(text)
      : field.kind === 'boolean'
        ? (YES_OR_NO.get(text.toLowerCase()) ?? text)
        : text
  try {
    checkValue(field, value)
  } catch (error) {
    if (error instanceof Refusal) return { why: error.message.replace(/^value:? /, '') }
    throw error
  }
  return { value }
}

export interface ImportedValue {
  readonly assetId: string
  readonly field: CustomField
  readonly value: CustomValue['value']
}

/**
 * Values from a file, of at most 1,000 assets at a time, in the caller's transaction; each that changes emits its event.
 * The values must have come from `readCustomValue`. Answers the assets of which one changed.
 */
export async function importCustomValues(ctx: Ctx, values: readonly ImportedValue[]): Promise<string[]> {
  permit(ctx, 'assets:write')
  if (values.length === 0) return []
  await lockTenant(ctx)
  const names = await lockAssets(ctx, [...new Set(values.map(({ assetId }) => assetId))])
  // of several rows about one asset the last one counts
  const last = new Map(values.map((it) => [`${it.assetId} ${it.field.id}`, it]))
  const known = await store.valuesOfFields(
    ctx,
    [...new Set(values.map(({ field }) => field.id))],
    [...names.keys()],
  )
  const before = new Map(known.map((it) => [`${it.assetId} ${it.fieldId}`, it.value]))
  const changed = await store.writeEach(
    ctx,
    [...last.values()].flatMap(({ assetId, field, value }) =>
      names.has(assetId) ? [{ assetId, fieldId: field.id, value }] : [],
    ),
  )
  const fieldOf = new Map(values.map(({ field }) => [field.id, field]))
  await announceValues(
    ctx,
    changed.flatMap(({ assetId, fieldId, value }) => {
      const field = fieldOf.get(fieldId)
      const asset = { id: assetId, name: names.get(assetId) ?? '' }
      return field ? [{ asset, field, before: before.get(`${assetId} ${fieldId}`), value }] : []
    }),
  )
  return [...new Set(changed.map(({ assetId }) => assetId))]
}
