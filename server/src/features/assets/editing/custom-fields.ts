import { record } from '#features/audit/audit.ts'
import { emit } from '#features/events/events.ts'
import { isCalendarDate } from '#platform/validation/calendar-date.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { customFieldChanged } from '../asset-events.ts'
import { getAsset, type Asset } from '../assets.ts'
import { customFieldKinds, type CustomField, type CustomFieldKind, type CustomValue } from './custom-field.ts'
import * as store from './edits-store.ts'

const NAME_LENGTH_MAX = 100
const TEXT_LENGTH_MAX = 4_096

export async function defineCustomField(ctx: Ctx, input: Omit<CustomField, 'id'>): Promise<CustomField> {
  permit(ctx, 'assets:write')
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  if (!customFieldKinds.includes(input.kind))
    throw invalid('kind', `is none of ${customFieldKinds.join(', ')}`)
  return atomically(ctx, async (inner) => {
    const field = await store.addField(inner, { id: newUuid(inner.now()), name, kind: input.kind })
    if (!field) throw conflict(`name: there is a custom field ${name}`)
    await record(
      inner,
      'custom_field.defined',
      { type: 'custom_field', id: field.id },
      { name, kind: field.kind },
    )
    return field
  })
}

export async function listCustomFields(ctx: Ctx): Promise<CustomField[]> {
  permit(ctx, 'assets:read')
  return store.fields(ctx)
}

export async function customValuesOf(ctx: Ctx, assetId: string): Promise<CustomValue[]> {
  const { id } = await getAsset(ctx, assetId)
  return store.values(ctx, id)
}

export interface CustomValueInput {
  readonly assetId: string
  readonly fieldId: string
  readonly value: string | number | boolean
}

/** Setting the current value again changes nothing and emits no event. */
export async function setCustomField(
  ctx: Ctx,
  { assetId, fieldId, value }: CustomValueInput,
): Promise<Asset> {
  return change(ctx, { assetId, fieldId }, async (inner, field) => {
    checkValue(field.kind, value)
    const changed = await store.writeValue(inner, assetId, fieldId, value)
    return changed > 0 ? { ...named(field), value, operation: 'set' } : undefined
  })
}

export async function clearCustomField(ctx: Ctx, which: Omit<CustomValueInput, 'value'>): Promise<Asset> {
  return change(ctx, which, async (inner, field) => {
    const changed = await store.dropValue(inner, which.assetId, which.fieldId)
    return changed > 0 ? { ...named(field), value: null, operation: 'clear' } : undefined
  })
}

type Change = Parameters<typeof customFieldChanged>[1]

async function change(
  ctx: Ctx,
  { assetId, fieldId }: Omit<CustomValueInput, 'value'>,
  write: (ctx: Ctx, field: CustomField) => Promise<Change | undefined>,
): Promise<Asset> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    const asset = await getAsset(inner, assetId)
    const field = isUuid(fieldId) ? await store.field(inner, fieldId) : undefined
    if (!field) throw notFound('custom field')
    const before = (await store.values(inner, assetId)).find(({ id }) => id === field.id)
    const done = await write(inner, field)
    if (!done) return asset
    await emit(inner, [customFieldChanged(asset, done, inner.now())])
    const action = done.operation === 'set' ? 'asset.custom_field_set' : 'asset.custom_field_cleared'
    const details = {
      name: asset.name,
      field: field.name,
      before: { value: before?.value ?? null },
      after: { value: done.value },
    }
    await record(inner, action, { type: 'asset', id: assetId }, details)
    return asset
  })
}

const named = ({ id, name }: CustomField) => ({ id, name })

function checkValue(kind: CustomFieldKind, value: unknown): void {
  if (
    kind === 'text' &&
    (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX || !isStorable(value))
  ) {
    throw invalid('value', `must be a text of at most ${TEXT_LENGTH_MAX} characters`)
  }
  if (kind === 'number' && !(typeof value === 'number' && Number.isFinite(value))) {
    throw invalid('value', 'must be a number')
  }
  if (kind === 'boolean' && typeof value !== 'boolean') throw invalid('value', 'must be true or false')
  if (kind === 'date' && !(typeof value === 'string' && isCalendarDate(value)))
    throw invalid('value', 'must be a date, like 2026-03-31')
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
