/** URL search parameters of the end-of-life screen. */
export interface EndOfLifeSearch {
  /** Days ahead. */
  readonly within?: number | undefined
}

export const WITHIN = [
  { value: '0', label: 'Ended already' },
  { value: '90', label: 'Within 3 months' },
  { value: '180', label: 'Within 6 months' },
  { value: '365', label: 'Within a year' },
  { value: '1095', label: 'Within 3 years' },
] as const

export const WITHIN_DEFAULT = 180

/** Parses URL search parameters; invalid ones are ignored. */
export function readEndOfLifeSearch(raw: Record<string, unknown>): EndOfLifeSearch {
  const { within } = raw
  return WITHIN.some(({ value }) => value === String(within)) ? { within: Number(within) } : {}
}
