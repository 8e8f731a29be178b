/** From the order to the end; `in_stock` is spare, `lost` includes stolen. */
export const lifeStates = ['ordered', 'in_use', 'in_stock', 'in_repair', 'retired', 'lost'] as const

export const recordFields = [
  'owner',
  'department',
  'costCentre',
  'placeId',
  'state',
  'purchasedOn',
  'price',
  'currency',
  'supplier',
  'orderNumber',
  'warrantyEnds',
  'leaseEnds',
  'replaceOn',
  'hardwareEol',
  'approved',
  'externallyScannedOn',
  'notes',
] as const
export type RecordField = (typeof recordFields)[number]

/**
 * Null: not recorded. Dates are `YYYY-MM-DD`, a price is a decimal with two places in `currency` (ISO 4217), a state is
 * one of `lifeStates`, `approved` is `yes` or `no`, `owner` is the name of a person or team or a member's e-mail address.
 */
export type RecordValues = Readonly<Record<RecordField, string | null>>

/** Who said a value, and when. What a person said is not changed by imports. */
export interface Origin {
  readonly source: 'person' | 'import'
  /** The person's address or the name of the import. */
  readonly by: string
  /** RFC 3339. */
  readonly at: string
}
export type Origins = Readonly<Partial<Record<RecordField, Origin>>>

/** What is recorded of an asset, beside what sources see of it. */
export interface AssetRecord {
  readonly assetId: string
  readonly values: RecordValues
  /** The member whose e-mail address `owner` is. */
  readonly ownerId: string | null
  readonly origins: Origins
}

export const emptyRecord = (assetId: string): AssetRecord => ({
  assetId,
  values: Object.fromEntries(recordFields.map((field) => [field, null])) as RecordValues,
  ownerId: null,
  origins: {},
})

/** Values of one asset to set; null clears, absent stays. */
export type RecordChange = { readonly [F in RecordField]?: string | null | undefined }

/** Null when nothing changes. An import changes no field that a person set. */
export function changedRecord(before: AssetRecord, change: RecordChange, origin: Origin): AssetRecord | null {
  const values: Record<RecordField, string | null> = { ...before.values }
  const origins: Partial<Record<RecordField, Origin>> = { ...before.origins }
  let isChanged = false
  for (const field of recordFields) {
    const value = change[field]
    if (value === undefined) continue
    const known = origins[field]
    if (origin.source === 'import' && isHeldByPerson(before.origins, field)) continue
    const isTaken = value !== null && origin.source === 'person' && known?.source !== 'person'
    if (values[field] === value && !isTaken) continue
    isChanged = true
    values[field] = value
    if (value === null) delete origins[field]
    else origins[field] = origin
  }
  return isChanged ? { ...before, values, origins } : null
}

/** A price and its currency belong together. */
const isHeldByPerson = (origins: Origins, field: RecordField): boolean =>
  (field === 'price' || field === 'currency' ? (['price', 'currency'] as const) : [field]).some(
    (each) => origins[each]?.source === 'person',
  )

/** The record with these fields as in the other, and who said so. */
export function withValuesOf(
  record: AssetRecord,
  other: AssetRecord,
  fields: readonly RecordField[],
): AssetRecord {
  const values: Record<RecordField, string | null> = { ...record.values }
  const origins: Partial<Record<RecordField, Origin>> = { ...record.origins }
  for (const field of fields) {
    values[field] = other.values[field]
    const origin = other.origins[field]
    if (origin) origins[field] = origin
    else delete origins[field]
  }
  const ownerId = fields.includes('owner') ? other.ownerId : record.ownerId
  return { assetId: record.assetId, values, ownerId, origins }
}

/** The survivor's values, and those of the merged asset that it lacks; what a person said goes before imports. */
export function mergedRecord(survivor: AssetRecord, merged: AssetRecord): AssetRecord {
  const values: Record<RecordField, string | null> = { ...survivor.values }
  const origins: Partial<Record<RecordField, Origin>> = { ...survivor.origins }
  let { ownerId } = survivor
  const take = (field: RecordField): void => {
    values[field] = merged.values[field]
    const origin = merged.origins[field]
    if (origin) origins[field] = origin
    if (field === 'owner') ({ ownerId } = merged)
  }
  const isWanted = (field: RecordField): boolean =>
    merged.values[field] !== null &&
    (values[field] === null ||
      (merged.origins[field]?.source === 'person' && origins[field]?.source === 'import'))
  // a price means nothing in another currency
  const withPrice = isWanted('price')
  for (const field of recordFields) {
    if (field === 'price' || field === 'currency' ? withPrice : isWanted(field)) take(field)
  }
  return { assetId: survivor.assetId, values, ownerId, origins }
}
