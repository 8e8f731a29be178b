import type { NewChange } from '#features/changes/changes.ts'
import type { ComputedAsset } from '../asset.ts'
import type { AttributesBefore } from './attributes-before-store.ts'

type Attribute = Exclude<keyof AttributesBefore, 'id' | 'isArchived'>

/** By the names that conditions have for them. */
const fieldNames: Readonly<Record<Attribute, string>> = {
  name: 'name',
  hostname: 'hostname',
  ipAddress: 'ip',
  macAddress: 'mac',
  os: 'os',
  assetType: 'asset_type',
  deviceType: 'device_type',
  vendor: 'vendor',
  model: 'model',
  serial: 'serial',
  tags: 'tag',
}
const attributes = Object.keys(fieldNames) as Attribute[]

/** One change for each attribute that is another; texts that were not collected are null. */
export function fieldChanges(
  before: readonly AttributesBefore[],
  after: readonly ComputedAsset[],
): NewChange[] {
  const computed = new Map(after.map((asset) => [asset.id, asset]))
  return before.flatMap((earlier) => {
    const asset = computed.get(earlier.id)
    if (!asset) return []
    return attributes.flatMap((attribute): NewChange[] => {
      // recognition had not looked at it yet
      if (earlier[attribute] === null) return []
      const [was, is] = [valueOf(earlier[attribute]), valueOf(asset[attribute])]
      if (JSON.stringify(was) === JSON.stringify(is)) return []
      const { id: assetId, name: assetName } = asset
      return [
        { kind: 'field_changed', assetId, assetName, subject: fieldNames[attribute], before: was, after: is },
      ]
    })
  })
}

const valueOf = (value: string | readonly string[] | null): unknown =>
  typeof value === 'string' ? value || null : value?.toSorted()
