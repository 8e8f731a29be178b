/** What the address of the view says. */
export interface EndOfLifeSearch {
  /** How far ahead to look, in days. */
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

/** Reads an address that anyone may have written: what is not understood is left out. */
export function readEndOfLifeSearch(raw: Record<string, unknown>): EndOfLifeSearch {
  const { within } = raw
  return WITHIN.some(({ value }) => value === String(within)) ? { within: Number(within) } : {}
}
