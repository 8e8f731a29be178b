import type { AssetFilter, AssetSort, AssetType, Direction, Freshness } from '#api/generated/operations.ts'
import { assetTypes } from './asset-types.ts'

/** What the address of the asset list says: which assets, in which order. */
export interface AssetSearch {
  readonly search?: string | undefined
  readonly type?: AssetType | undefined
  readonly source?: string | undefined
  readonly tag?: string | undefined
  readonly freshness?: Freshness | undefined
  /** First seen within the last seven days. */
  readonly isNew?: true | undefined
  readonly sort?: AssetSort | undefined
  readonly direction?: Direction | undefined
}

export const FRESHNESS: Readonly<Record<Freshness, string>> = {
  day: 'Within a day',
  week: 'Within a week',
  month: 'Within a month',
  older: 'Longer ago',
}

const SORTS: readonly AssetSort[] = ['lastSeen', 'name', 'firstSeen', 'ipAddress', 'assetType']
const WEEK_MS = 7 * 24 * 3_600_000

/** Reads an address that anyone may have written: what is not understood is left out. */
export function readAssetSearch(raw: Record<string, unknown>): AssetSearch {
  const search: AssetSearch = {
    search: textOf(raw['search']),
    type: assetTypes.find((it) => it === raw['type']),
    source: textOf(raw['source']),
    tag: textOf(raw['tag']),
    freshness: (Object.keys(FRESHNESS) as Freshness[]).find((it) => it === raw['freshness']),
    isNew: raw['isNew'] === true ? true : undefined,
    sort: SORTS.find((it) => it === raw['sort']),
    direction: (['asc', 'desc'] as const).find((it) => it === raw['direction']),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

/** To the hour, so that a list is not another one every second. */
export function filterOf(wanted: AssetSearch, now = Date.now()): AssetFilter {
  const since = new Date(Math.floor((now - WEEK_MS) / 3_600_000) * 3_600_000)
  return {
    ...(wanted.search && { search: wanted.search }),
    ...(wanted.type && { type: wanted.type }),
    ...(wanted.source && { sourceId: wanted.source }),
    ...(wanted.tag && { tag: wanted.tag }),
    ...(wanted.freshness && { freshness: wanted.freshness }),
    ...(wanted.isNew && { newSince: since.toISOString() }),
  }
}

export const isFiltered = ({ sort: _sort, direction: _direction, ...filter }: AssetSearch): boolean =>
  Object.keys(filter).length > 0

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}
