import type { AssetFilter, AssetSort, AssetTurn, Freshness } from '#api/generated/enums-and-inputs.ts'
import { compareTerm, withTerm } from '#features/conditions/condition-terms.ts'
import { readListSearch, textOf, withoutAbsent, type ListSearch } from '#features/lists/list-search.ts'

/** URL search parameters of the asset list. */
export interface AssetSearch extends ListSearch {
  /** The id of a source. */
  readonly source?: string | undefined
  readonly sort?: AssetSort | undefined
}

export const FRESHNESS: Readonly<Record<Freshness, string>> = {
  day: 'Within a day',
  week: 'Within a week',
  month: 'Within a month',
  older: 'Longer ago',
}

/** Conditions for the classes of last sightings; they do not overlap. */
export const SEEN: Readonly<Record<Freshness, string>> = {
  day: 'seen >= -1d',
  week: 'seen < -1d and seen >= -7d',
  month: 'seen < -7d and seen >= -30d',
  older: 'seen < -30d',
}

/** Conditions for what is new or disappeared this week, as counted on the overview. */
export const WEEK: Readonly<Record<AssetTurn, string>> = {
  came: 'first_seen >= -7d',
  went: 'seen < -7d and seen >= -14d',
}

export const ARCHIVED = 'archived = yes'

const SORTS: readonly AssetSort[] = [
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
]

/** Parses URL search parameters, also those of views and links of earlier versions; invalid ones are ignored. */
export function readAssetSearch(raw: Record<string, unknown>): AssetSearch {
  const { where = '', sort, ...search } = readListSearch(raw)
  return withoutAbsent({
    ...search,
    where: textOf(earlierFilters(raw).reduce(withTerm, where)),
    source: textOf(raw['source']),
    sort: SORTS.find((it) => it === sort),
  })
}

/** Filters that had a parameter of their own before conditions, as terms. */
function earlierFilters(raw: Record<string, unknown>): readonly string[] {
  const week = raw['isNew'] === true ? 'came' : raw['week']
  const compared = Object.entries({ asset_type: raw['type'], device_type: raw['device'], tag: raw['tag'] })
  return [
    ...compared.flatMap(([field, value]) =>
      textOf(value) ? [compareTerm(field, [textOf(value) ?? ''])] : [],
    ),
    ...(isKey(SEEN, raw['freshness']) ? [SEEN[raw['freshness']]] : []),
    ...(isKey(WEEK, week) ? [WEEK[week]] : []),
  ]
}

const isKey = <Key extends string>(record: Readonly<Record<Key, string>>, key: unknown): key is Key =>
  typeof key === 'string' && Object.hasOwn(record, key)

export const filterOf = (wanted: AssetSearch): AssetFilter => ({
  ...(wanted.search && { search: wanted.search }),
  ...(wanted.where && { where: wanted.where }),
  ...(wanted.source && { sourceId: wanted.source }),
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
