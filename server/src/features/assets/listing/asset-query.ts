import type { DeviceType } from '#features/recognition/recognition.ts'
import type { AssetFilter } from '../asset.ts'

/** Filter and sort order of the list of assets. */
export interface AssetQuery extends Pick<AssetFilter, 'type' | 'where'> {
  /**
   * A network in CIDR notation finds the assets with an address in it. Any other text is searched for in id, name,
   * host name, address, serial, operating system, vendor and model, tags, and in MAC addresses in any notation.
   */
  readonly search?: string | undefined
  /** The function of the device, such as `printer`. */
  readonly deviceType?: DeviceType | undefined
  readonly tag?: string | undefined
  readonly sourceId?: string | undefined
  readonly freshness?: Freshness | undefined
  /** First seen then or later; RFC 3339. */
  readonly newSince?: string | undefined
  readonly thisWeek?: WeeklyChange | undefined
  /** Archived assets instead of living ones. */
  readonly archived?: boolean | undefined
  readonly sort?: AssetSort | undefined
  readonly direction?: 'asc' | 'desc' | undefined
}

export const assetSorts = [
  'lastSeen',
  'name',
  'firstSeen',
  'ipAddress',
  'assetType',
  'riskScore',
  'deviceType',
  'macAddress',
  'os',
  'model',
  'serial',
  'confidence',
  'known',
] as const
export type AssetSort = (typeof assetSorts)[number]

/** Classes of `lastSeen`: within a day, a week, a month, or longer ago. They do not overlap. */
export const freshnesses = ['day', 'week', 'month', 'older'] as const
export type Freshness = (typeof freshnesses)[number]

/** `came`: first seen in the last seven days; `went`: last seen seven to fourteen days ago. */
export const weeklyChanges = ['came', 'went'] as const
export type WeeklyChange = (typeof weeklyChanges)[number]

export interface SeenBetween {
  readonly from?: Date
  readonly before?: Date
}
