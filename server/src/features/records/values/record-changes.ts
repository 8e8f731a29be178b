import { addChanges, type NewChange } from '#features/changes/changes.ts'
import type { Ctx } from '#platform/context.ts'
import type { PlaceFinder } from '../places/place-finder.ts'
import { findPlaces } from '../places/places.ts'
import { recordFields, type AssetRecord, type RecordField } from './asset-record.ts'

/** By the names that conditions have for them; notes are none of these. */
const fieldNames: Readonly<Record<RecordField, string>> = {
  owner: 'owner',
  department: 'department',
  costCentre: 'cost_centre',
  placeId: 'site',
  state: 'state',
  purchasedOn: 'purchased',
  price: 'price',
  currency: 'currency',
  supplier: 'supplier',
  orderNumber: 'order_number',
  warrantyEnds: 'warranty_ends',
  leaseEnds: 'lease_ends',
  replaceOn: 'replace_on',
  hardwareEol: 'hardware_eol',
  approved: 'approved',
  externallyScannedOn: 'externally_scanned',
  notes: 'notes',
}

export interface ChangedRecord {
  readonly before: AssetRecord
  readonly after: AssetRecord
}

/** For readers of changes: one for each field that has another value, places by their names. */
export async function addRecordChanges(ctx: Ctx, changed: readonly ChangedRecord[]): Promise<void> {
  const isMoved = changed.some(({ before, after }) => before.values.placeId !== after.values.placeId)
  const places = isMoved ? await findPlaces(ctx) : undefined
  addChanges(
    ctx,
    changed.flatMap(({ before, after }) =>
      recordFields.flatMap((field): NewChange[] => {
        if (before.values[field] === after.values[field]) return []
        const [was, is] = [before, after].map(({ values }) => spelled(field, values[field], places))
        return [
          {
            kind: 'field_changed',
            assetId: after.assetId,
            subject: fieldNames[field],
            before: was,
            after: is,
          },
        ]
      }),
    ),
  )
}

const spelled = (field: RecordField, value: string | null, places: PlaceFinder | undefined): string | null =>
  field === 'placeId' && value !== null ? (places?.byId(value)?.path ?? value) : value
