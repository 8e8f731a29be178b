import type { AssetRow } from '../attributes/asset-values.ts'
import type { Observed } from './observation-record.ts'

/** What a person is shown of an asset as being so, apart from when it was seen and how sure that is. */
export type Shown = Pick<
  AssetRow,
  | 'name'
  | 'assetType'
  | 'deviceType'
  | 'ipAddress'
  | 'macAddress'
  | 'os'
  | 'hostname'
  | 'serial'
  | 'vendor'
  | 'model'
  | 'tags'
>

/** A text that is the same as long as attributes, tags and current identifiers are. */
export function appearance(asset: Shown, members: readonly Pick<Observed, 'current'>[]): string {
  const { name, assetType, deviceType, ipAddress, macAddress, os, hostname, serial, vendor, model, tags } =
    asset
  const labels = members.flatMap(({ current }) => current.map(({ type, value }) => `${type} ${value}`))
  const attributes = [name, assetType, deviceType, ipAddress, macAddress, os, hostname, serial, vendor, model]
  return JSON.stringify([attributes, tags.toSorted(), [...new Set(labels)].sort()])
}
