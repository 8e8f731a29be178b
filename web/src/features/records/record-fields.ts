import type { AssetRecordData } from '#api/generated/records.ts'

export type AssetRecord = AssetRecordData['assetRecord']

export const lifeStates = [
  { value: 'ordered', label: 'Ordered' },
  { value: 'in_use', label: 'In use' },
  { value: 'in_stock', label: 'In stock' },
  { value: 'in_repair', label: 'In repair' },
  { value: 'retired', label: 'Retired' },
  { value: 'lost', label: 'Lost' },
] as const

export const stateName = (state: string): string =>
  lifeStates.find(({ value }) => value === state)?.label ?? state

/** Texts of the form; an empty one is not recorded. */
export type RecordForm = ReturnType<typeof formOf>

export const formOf = (record: AssetRecord) => ({
  owner: record.owner ?? '',
  department: record.department ?? '',
  costCentre: record.costCentre ?? '',
  // a place that follows from the address is not recorded
  placeId: record.placeFrom === 'network' ? '' : (record.place?.id ?? ''),
  state: record.state ?? '',
  purchasedOn: record.purchasedOn ?? '',
  price: record.price ?? '',
  currency: record.currency ?? '',
  supplier: record.supplier ?? '',
  orderNumber: record.orderNumber ?? '',
  warrantyEnds: record.warrantyEnds ?? '',
  leaseEnds: record.leaseEnds ?? '',
  replaceOn: record.replaceOn ?? '',
  hardwareEol: record.hardwareEol ?? '',
  approved: record.approved ?? '',
  externallyScannedOn: record.externallyScannedOn ?? '',
  notes: record.notes ?? '',
})

/** The fields that differ; null clears. So what an import said stays its own where the person changed nothing. */
export function changesOf(
  before: RecordForm,
  after: RecordForm,
): Partial<Record<keyof RecordForm, string | null>> {
  const changed = (Object.keys(before) as (keyof RecordForm)[]).filter(
    (field) => before[field] !== after[field],
  )
  return Object.fromEntries(changed.map((field) => [field, after[field].trim() || null]))
}

/** In how many days a date is, negative when it has passed; dates are `YYYY-MM-DD`, `today` too. */
export const daysUntil = (date: string, today: string): number =>
  Math.round((Date.parse(date) - Date.parse(today)) / 86_400_000)
