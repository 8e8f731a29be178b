import type { FindingStatus } from '#api/generated/enums-and-inputs.ts'
import type { FindingsVariables } from '#api/generated/vulnerabilities.ts'
import { compareTerm, joinTerms } from '#features/conditions/condition-terms.ts'
import { asksAbout, conditionOf, meantBy } from '#features/conditions/meant-by.ts'
import { SEVERITIES } from '../severities.ts'

/** URL search parameters of the findings. Without a condition on the status: open ones. */
export interface FindingSearch {
  /** Words to search for. */
  readonly text?: string | undefined
  /** A condition. */
  readonly where?: string | undefined
  readonly order?: FindingOrder | undefined
  /** Not given: by fix where nothing is asked, else none. */
  readonly group?: FindingGrouping | 'none' | undefined
}

export const ORDERS = [
  { value: 'score', label: 'Highest score first' },
  { value: 'epss', label: 'Likeliest to be exploited first' },
  { value: 'foundAt', label: 'Newest first' },
  { value: 'changedAt', label: 'Last changed first' },
] as const
export type FindingOrder = (typeof ORDERS)[number]['value']

/** What findings can be grouped by, with the names that the server has for it. */
export const GROUPINGS = [
  { value: 'fix', label: 'Fix', by: 'fix' },
  { value: 'cve', label: 'CVE', by: 'cve' },
  { value: 'software', label: 'Software', by: 'product' },
  { value: 'os', label: 'Operating system', by: 'asset.os' },
  { value: 'site', label: 'Site', by: 'asset.site' },
  { value: 'owner', label: 'Owner', by: 'asset.owner' },
] as const
export type FindingGrouping = (typeof GROUPINGS)[number]['value']

export const STATUSES: readonly FindingStatus[] = [
  'open',
  'resolved',
  'accepted',
  'false_positive',
  'not_affected',
]

/** Parses URL search parameters, also those of links of earlier versions; invalid ones are ignored. */
export function readFindingSearch(raw: Record<string, unknown>): FindingSearch {
  const where = joinTerms([textOf(raw['where']), ...earlierFilters(raw)])
  const order = ORDERS.find(({ value }) => value === raw['order'])
  const group = GROUPINGS.find(({ value }) => value === raw['group'])?.value
  return {
    ...(textOf(raw['text']) !== '' && { text: textOf(raw['text']) }),
    ...(where !== '' && { where }),
    ...(order && { order: order.value }),
    ...(raw['group'] === 'none' ? { group: 'none' } : group && { group }),
  }
}

/** Findings begin with what closes the most; a question is answered with the findings themselves. */
export function groupingOf({ text, where, order, group }: FindingSearch): FindingGrouping | undefined {
  if (group === undefined) return (text ?? where ?? order) ? undefined : 'fix'
  return group === 'none' ? undefined : group
}

/** Filters that had a parameter of their own before conditions, as terms. */
function earlierFilters({ severity, outcome, exploited, fixable, asset }: Record<string, unknown>): string[] {
  return [
    ...SEVERITIES.filter((it) => it === severity).map((it) => compareTerm('severity', [it])),
    ...STATUSES.filter((it) => it === outcome).map((it) => compareTerm('status', [it])),
    ...(outcome === 'any' ? ['has status'] : []),
    ...(exploited === true ? ['kev = yes'] : []),
    ...(fixable === true ? ['fixable = yes'] : []),
    ...(textOf(asset) === '' ? [] : [compareTerm('asset.id', [textOf(asset)])]),
  ]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The condition of all that the list has. */
export const listedWhere = ({ where = '', text = '' }: FindingSearch): string =>
  meantBy('finding', conditionOf({ where, text })) || 'status = open'

/** With `assetId`, of its findings alone: those of an archived asset as well, which a condition leaves out. */
export function variablesOf(
  search: FindingSearch,
  assetId?: string,
): Omit<FindingsVariables, 'first' | 'offset'> {
  const { text, where, order = 'score' } = search
  return {
    filter: {
      search: text ?? null,
      where: where ?? null,
      assetId: assetId ?? null,
      status: where !== undefined && asksAbout(where, 'status') ? null : 'open',
    },
    sort: order,
    ascending: false,
  }
}
