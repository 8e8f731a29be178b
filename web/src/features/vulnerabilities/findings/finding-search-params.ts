import type { FindingSort, FindingStatus } from '#api/generated/enums-and-inputs.ts'
import type { FindingsVariables } from '#api/generated/vulnerabilities.ts'
import { compareTerm, withTerm } from '#features/conditions/condition-terms.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import { asksAbout, conditionOf, meantBy } from '#features/conditions/meant-by.ts'
import { readListSearch, textOf, withoutAbsent, type ListSearch } from '#features/lists/list-search.ts'
import { SEVERITIES } from '../severities.ts'

/** URL search parameters of the findings. Without a condition on the status: open ones. */
export interface FindingSearch extends ListSearch {
  readonly sort?: FindingSort | undefined
  /** Not given: by fix where nothing is asked, else none. */
  readonly group?: string | undefined
}

const SORTS: readonly FindingSort[] = [
  'score',
  'epss',
  'foundAt',
  'changedAt',
  'cveId',
  'assetName',
  'software',
  'status',
  'confidence',
  'affectedAssets',
]

/** What the address says where the findings themselves are wanted. */
export const UNGROUPED = 'none'
/** Software with the version that fixes it. */
export const BY_FIX = 'fix'

/** What findings can be grouped by; all but the first are fields of conditions. */
export const GROUPINGS: readonly FacetField[] = [
  { field: BY_FIX, label: 'Fix' },
  { field: 'cve', label: 'CVE' },
  { field: 'product', label: 'Software' },
  { field: 'severity', label: 'Severity', isWord: true },
  { field: 'asset.os', label: 'Operating system' },
  { field: 'asset.site', label: 'Site' },
  { field: 'asset.owner', label: 'Owner' },
  { field: 'match', label: 'Match', isWord: true },
]

/** Names that groups had in addresses before they were those of fields. */
const EARLIER_GROUPS: ReadonlyMap<unknown, string> = new Map([
  ['software', 'product'],
  ['os', 'asset.os'],
  ['site', 'asset.site'],
  ['owner', 'asset.owner'],
])

export const STATUSES: readonly FindingStatus[] = [
  'open',
  'resolved',
  'accepted',
  'false_positive',
  'not_affected',
]

/** Parses URL search parameters, also those of links and views of earlier versions; invalid ones are ignored. */
export function readFindingSearch(raw: Record<string, unknown>): FindingSearch {
  const { where = '', sort, direction, group, ...search } = readListSearch(raw)
  const before = SORTS.find((it) => it === raw['order'])
  const named = EARLIER_GROUPS.get(group) ?? group
  return withoutAbsent({
    ...search,
    where: textOf(earlierFilters(raw).reduce(withTerm, where)),
    sort: SORTS.find((it) => it === sort) ?? before,
    direction: direction ?? (before && 'desc'),
    group: [UNGROUPED, ...GROUPINGS.map(({ field }) => field)].find((it) => it === named),
  })
}

/** Findings begin with what closes the most; a question is answered with the findings themselves. */
export function groupingOf({ search, where, sort, group }: FindingSearch): string | undefined {
  if (group === undefined) return (search ?? where ?? sort) === undefined ? BY_FIX : undefined
  return group === UNGROUPED ? undefined : group
}

/** Filters that had a parameter of their own before conditions, as terms. */
function earlierFilters({ severity, outcome, exploited, fixable, asset }: Record<string, unknown>): string[] {
  return [
    ...SEVERITIES.filter((it) => it === severity).map((it) => compareTerm('severity', [it])),
    ...STATUSES.filter((it) => it === outcome).map((it) => compareTerm('status', [it])),
    ...(outcome === 'any' ? ['has status'] : []),
    ...(exploited === true ? ['kev = yes'] : []),
    ...(fixable === true ? ['fixable = yes'] : []),
    ...(textOf(asset) === undefined ? [] : [compareTerm('asset.id', [textOf(asset) ?? ''])]),
  ]
}

/** The condition of all that the list has. */
export const listedWhere = ({ where = '', search = '' }: FindingSearch): string =>
  meantBy('finding', conditionOf({ where, text: search })) || 'status = open'

type Question = Omit<FindingsVariables, 'first' | 'offset'>

/** With `assetId`, of its findings alone: those of an archived asset as well, which a condition leaves out. */
export function variablesOf(wanted: FindingSearch, assetId?: string): Question {
  const { search, where, sort, direction } = wanted
  return {
    filter: {
      search: search ?? null,
      where: where ?? null,
      assetId: assetId ?? null,
      status: where !== undefined && asksAbout(where, 'status') ? null : 'open',
    },
    sort: sort ?? 'score',
    ascending: sort !== undefined && direction !== 'desc',
  }
}
