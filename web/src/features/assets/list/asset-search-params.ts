import type {
  AssetFilter,
  AssetSort,
  AssetTurn,
  AssetType,
  DeviceType,
  Direction,
  Freshness,
} from '#api/generated/operations.ts'
import { assetTypes } from '../asset-types.ts'
import { deviceTypes } from '../recognition/device-types.ts'

/** URL search parameters of the asset list: filters and sort order. */
export interface AssetSearch {
  readonly search?: string | undefined
  readonly type?: AssetType | undefined
  readonly device?: DeviceType | undefined
  readonly source?: string | undefined
  readonly tag?: string | undefined
  readonly freshness?: Freshness | undefined
  /** New or disappeared this week, as counted on the overview. */
  readonly week?: AssetTurn | undefined
  readonly sort?: AssetSort | undefined
  readonly direction?: Direction | undefined
}

export const FRESHNESS: Readonly<Record<Freshness, string>> = {
  day: 'Within a day',
  week: 'Within a week',
  month: 'Within a month',
  older: 'Longer ago',
}

export const WEEK: Readonly<Record<AssetTurn, string>> = {
  came: 'New this week',
  went: 'Gone quiet this week',
}

const SORTS: readonly AssetSort[] = ['lastSeen', 'name', 'firstSeen', 'ipAddress', 'assetType', 'riskScore']

/** Parses URL search parameters; invalid ones are ignored. */
export function readAssetSearch(raw: Record<string, unknown>): AssetSearch {
  const search: AssetSearch = {
    search: textOf(raw['search']),
    type: assetTypes.find((it) => it === raw['type']),
    device: deviceTypes.find((it) => it === raw['device']),
    source: textOf(raw['source']),
    tag: textOf(raw['tag']),
    freshness: (Object.keys(FRESHNESS) as Freshness[]).find((it) => it === raw['freshness']),
    // views saved by earlier versions used another name
    week:
      raw['isNew'] === true ? 'came' : (Object.keys(WEEK) as AssetTurn[]).find((it) => it === raw['week']),
    sort: SORTS.find((it) => it === raw['sort']),
    direction: (['asc', 'desc'] as const).find((it) => it === raw['direction']),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

export const filterOf = (wanted: AssetSearch): AssetFilter => ({
  ...(wanted.search && { search: wanted.search }),
  ...(wanted.type && { type: wanted.type }),
  ...(wanted.device && { deviceType: wanted.device }),
  ...(wanted.source && { sourceId: wanted.source }),
  ...(wanted.tag && { tag: wanted.tag }),
  ...(wanted.freshness && { freshness: wanted.freshness }),
  ...(wanted.week && { thisWeek: wanted.week }),
})

/** URL of the CSV export of the same list with these columns. */
export function csvUrl(wanted: AssetSearch, columns: readonly string[]): string {
  const { sort, direction } = wanted
  const query = new URLSearchParams({
    ...(filterOf(wanted) as Record<string, string>),
    ...(sort && { sort }),
    ...(direction && { direction }),
    columns: columns.join(','),
  }).toString()
  return `/files/assets.csv?${query}`
}

export const isFiltered = ({ sort: _sort, direction: _direction, ...filter }: AssetSearch): boolean =>
  Object.keys(filter).length > 0

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}
