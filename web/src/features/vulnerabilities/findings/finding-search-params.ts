import type { FindingsVariables, FindingStatus, Severity } from '#api/generated/operations.ts'
import { SEVERITIES } from '../severities.ts'

/** URL search parameters of the findings. Without a status: open ones. */
export interface FindingSearch {
  readonly text?: string | undefined
  readonly severity?: Severity | undefined
  readonly outcome?: FindingStatus | 'any' | undefined
  readonly exploited?: true | undefined
  readonly fixable?: true | undefined
  readonly order?: FindingOrder | undefined
  /** The id of one asset. */
  readonly asset?: string | undefined
}

export const ORDERS = [
  { value: 'score', label: 'Highest score first' },
  { value: 'epss', label: 'Likeliest to be exploited first' },
  { value: 'foundAt', label: 'Newest first' },
  { value: 'changedAt', label: 'Last changed first' },
] as const
export type FindingOrder = (typeof ORDERS)[number]['value']

export const STATUSES: readonly FindingStatus[] = [
  'open',
  'resolved',
  'accepted',
  'false_positive',
  'not_affected',
]

/** Parses URL search parameters; invalid ones are ignored. */
export function readFindingSearch(raw: Record<string, unknown>): FindingSearch {
  const { text, severity, outcome, exploited, fixable, order, asset } = raw
  return {
    ...(typeof text === 'string' && text !== '' && { text }),
    ...given('severity', SEVERITIES, severity),
    ...given('outcome', [...STATUSES, 'any' as const], outcome),
    ...(exploited === true && { exploited }),
    ...(fixable === true && { fixable }),
    ...(typeof asset === 'string' && asset !== '' && { asset }),
    ...given(
      'order',
      ORDERS.map(({ value }) => value),
      order,
    ),
  }
}

const given = <Name extends string, Value>(name: Name, known: readonly Value[], value: unknown) =>
  (known.includes(value as Value) ? { [name]: value } : {}) as { [key in Name]?: Value }

export function variablesOf(search: FindingSearch): Omit<FindingsVariables, 'first' | 'offset'> {
  const { text, severity, outcome = 'open', exploited, fixable, order = 'score', asset } = search
  return {
    filter: {
      search: text ?? null,
      severity: severity ?? null,
      status: outcome === 'any' ? null : outcome,
      isExploited: exploited ?? null,
      hasFix: fixable ?? null,
      assetId: asset ?? null,
    },
    sort: order,
    ascending: false,
  }
}
