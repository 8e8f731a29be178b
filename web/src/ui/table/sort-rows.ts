import { language } from '#lib/formats.ts'
export type SortDirection = 'asc' | 'desc'

/** What a row is sorted by; null and undefined: not known. */
export type SortValue = string | number | boolean | null | undefined

/** The rows in another order. Equal ones keep theirs, and those of which the value is not known come last either way. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  direction: SortDirection,
): readonly Row[] {
  const turn = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => compare(valueOf(a), valueOf(b), turn))
}

function compare(a: SortValue, b: SortValue, turn: number): number {
  if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b))
  if (typeof a === 'string' && typeof b === 'string') return turn * BY_NAME.compare(a, b)
  return turn * (Number(a) - Number(b))
}

/** host-9 before host-10. */
const BY_NAME = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })

const isUnknown = (value: SortValue): boolean => value === null || value === undefined || value === ''
