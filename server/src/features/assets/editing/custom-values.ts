import { record } from '#features/audit/audit.ts'
import { isCalendarDate } from '#platform/validation/calendar-date.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Asset } from '../asset.ts'
import { getAsset } from '../asset-by-id.ts'
import { lockAssets } from '../asset-store.ts'
import { toChange } from './change-within-limit.ts'
import type { CustomField, CustomValue } from './custom-field.ts'
import { lockTenant } from '../intake/observation-read-store.ts'
import { announceValues } from './announce-values.ts'
import * as store from './custom-field-store.ts'

export type { ValueOfField } from './custom-field-store.ts'

/** Values of custom fields. Each value that is set or cleared emits one event, in the commit that does it. */

const TEXT_LENGTH_MAX = 4_096
const ASSETS_MAX = 1_000

export async function customValuesOf(ctx: Ctx, assetId: string): Promise<CustomValue[]> {
  const { id } = await getAsset(ctx, assetId)
  return store.values(ctx, id)
}

/** The values that these assets have of these fields. */
export function valuesOfFields(
  ctx: Ctx,
  fieldIds: readonly string[],
  assetIds: readonly string[],
): Promise<store.ValueOfField[]> {
  permit(ctx, 'assets:read')
  return store.valuesOfFields(ctx, fieldIds, assetIds)
}

const LISTED_MAX = 500

/** The same for ids that a caller sends. Throws 404 for a field that is not there, 400 for more than 500 of either. */
export async function listCustomValues(
  ctx: Ctx,
  { fieldIds, assetIds }: { readonly fieldIds: readonly string[]; readonly assetIds: readonly string[] },
): Promise<store.ValueOfField[]> {
  permit(ctx, 'assets:read')
  for (const [name, ids] of Object.entries({ fieldIds, assetIds }))
    if (ids.length > LISTED_MAX) throw invalid(name, `are more than ${LISTED_MAX}`)
  const known = new Set((await store.fields(ctx)).map(({ id }) => id))
  if (!fieldIds.every((id) => known.has(id))) throw notFound('custom field')
  return store.valuesOfFields(ctx, fieldIds, assetIds.filter(isUuid))
}

export interface CustomValueInput {
  readonly assetId: string
  readonly fieldId: string
  readonly value: CustomValue['value']
}

/** Setting the current value again changes nothing and emits no event. */
export async function setCustomField(ctx: Ctx, { assetId, ...given }: CustomValueInput): Promise<Asset> {
  permit(ctx, 'assets:write')
  const asset = await getAsset(ctx, assetId)
  await setCustomFieldOfAssets(ctx, { assetIds: [assetId], ...given })
  return asset
}

export async function clearCustomField(ctx: Ctx, which: Omit<CustomValueInput, 'value'>): Promise<Asset> {
  permit(ctx, 'assets:write')
  const asset = await getAsset(ctx, which.assetId)
  await setCustomFieldOfAssets(ctx, { assetIds: [which.assetId], fieldId: which.fieldId, value: null })
  return asset
}

export interface CustomValuesInput {
  readonly assetIds: readonly string[]
  readonly fieldId: string
  /** Null clears. */
  readonly value: CustomValue['value'] | null
}

/** The same value on up to 1,000 assets, all or none; answers on how many it changed. */
export async function setCustomFieldOfAssets(
  ctx: Ctx,
  { assetIds, fieldId, value }: CustomValuesInput,
): Promise<number> {
  permit(ctx, 'assets:write')
  const ids = [...new Set(assetIds)]
  if (ids.length === 0 || ids.length > ASSETS_MAX)
    throw invalid('assetIds', `must name 1 to ${ASSETS_MAX} assets`)
  if (!ids.every(isUuid)) throw notFound('asset')
  return atomically(await toChange(ctx, ids), async (inner) => {
    await lockTenant(inner)
    const field = isUuid(fieldId) ? await store.field(inner, fieldId) : undefined
    if (!field) throw notFound('custom field')
    if (value === null) return clearValues(inner, field, ids)
    checkValue(field, value)
    return change(inner, { field, value, ids }, () => store.writeValues(inner, field.id, ids, value))
  })
}

/** In the caller's transaction; answers how many were cleared. */
export function clearValues(ctx: Ctx, field: CustomField, assetIds: readonly string[]): Promise<number> {
  return change(ctx, { field, value: null, ids: assetIds }, () => store.dropValues(ctx, field.id, assetIds))
}

interface Change {
  readonly field: CustomField
  readonly value: CustomValue['value'] | null
  readonly ids: readonly string[]
}

/** The field, if the value may be one of it; null clears. Throws 400 and 404. */
export async function fieldForValue(ctx: Ctx, fieldId: string, value: unknown): Promise<CustomField> {
  const field = isUuid(fieldId) ? await store.field(ctx, fieldId) : undefined
  if (!field) throw notFound('custom field')
  if (value !== null) checkValue(field, value)
  return field
}

/**
 * For bulk changes, in the caller's transaction and without an audit entry: sets or clears the value of the assets that
 * are there. Returns the values before, null for none, of those that changed.
 */
export async function changeCustomValues(
  ctx: Ctx,
  field: CustomField,
  assetIds: readonly string[],
  value: CustomValue['value'] | null,
): Promise<Map<string, CustomValue['value'] | null>> {
  await lockTenant(ctx)
  const names = await lockAssets(ctx, assetIds)
  const ids = [...names.keys()]
  const write = () =>
    value === null ? store.dropValues(ctx, field.id, ids) : store.writeValues(ctx, field.id, ids, value)
  const { changed, before } = await writeAndEmit(ctx, { field, value, ids }, names, write)
  return new Map(changed.map((id) => [id, before.get(id) ?? null]))
}

/** The number of statements does not depend on the number of assets; events have one each. */
async function change(
  ctx: Ctx,
  { field, value, ids }: Change,
  write: () => Promise<string[]>,
): Promise<number> {
  if (ids.length === 0) return 0
  const names = await lockAssets(ctx, ids)
  if (names.size < ids.length) throw notFound('asset')
  const { changed, before } = await writeAndEmit(ctx, { field, value, ids }, names, write)
  const { name } = field
  const subjects = changed.map((assetId) => ({
    id: assetId,
    name: names.get(assetId) ?? '',
    field: name,
    before: { value: before.get(assetId) ?? null },
    after: { value },
  }))
  const [first] = subjects
  if (!first) return 0
  const action = value === null ? 'asset.custom_field_cleared' : 'asset.custom_field_set'
  const { id: assetId, ...details } = first
  await (subjects.length === 1
    ? record(ctx, action, { type: 'asset', id: assetId }, details)
    : record(ctx, action, { type: 'asset', id: '' }, { field: name, subjects }))
  return subjects.length
}

async function writeAndEmit(
  ctx: Ctx,
  { field: { id, name, key }, value, ids }: Change,
  names: ReadonlyMap<string, string>,
  write: () => Promise<string[]>,
): Promise<{
  readonly changed: readonly string[]
  readonly before: ReadonlyMap<string, CustomValue['value']>
}> {
  const before = new Map((await store.valuesOfField(ctx, id, ids)).map((each) => [each.assetId, each.value]))
  const changed = (await write()).sort()
  await announceValues(
    ctx,
    changed.map((assetId) => ({
      asset: { id: assetId, name: names.get(assetId) ?? '' },
      field: { id, name, key },
      before: before.get(assetId),
      value,
    })),
  )
  return { changed, before }
}

/** Throws 400, which names `value`, for what is no value of the field. */
export function checkValue({ kind, choices }: CustomField, value: unknown): void {
  if (
    kind === 'text' &&
    (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX || !isStorable(value))
  ) {
    throw invalid('value', `must be a text of at most ${TEXT_LENGTH_MAX} characters`)
  }
  if (choices && !choices.some((choice) => choice === value))
    throw invalid('value', `is none of ${choices.join(', ')}`)
  if (kind === 'number' && !(typeof value === 'number' && Number.isFinite(value))) {
    throw invalid('value', 'must be a number')
  }
  if (kind === 'boolean' && typeof value !== 'boolean') throw invalid('value', 'must be true or false')
  if (kind === 'date' && !(typeof value === 'string' && isCalendarDate(value)))
    throw invalid('value', 'must be a date, like 2026-03-31')
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
