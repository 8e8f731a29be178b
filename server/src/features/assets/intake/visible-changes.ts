import type { AssetAttributes } from '../asset.ts'
import type { ObservationRecord } from './observation-record.ts'

/**
 * A text that is equal as long as attributes, tags and current identifiers are; times and confidence do not count.
 */
export function visibleState(
  asset: AssetAttributes,
  members: readonly Pick<ObservationRecord, 'current'>[],
): string {
  const { name, assetType, deviceType, ipAddress, macAddress, os, hostname, serial, vendor, model, tags } =
    asset
  const labels = members.flatMap(({ current }) => current.map(({ type, value }) => `${type} ${value}`))
  const attributes = [name, assetType, deviceType, ipAddress, macAddress, os, hostname, serial, vendor, model]
  return JSON.stringify([attributes, tags.toSorted(), [...new Set(labels)].sort()])
}
