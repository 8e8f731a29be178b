import type { Check } from './check.ts'

/** Copies of shipped checks, and what an upgrade changed in the originals. */

/** What of a shipped check is compared. */
export const comparedFields = [
  'title',
  'scope',
  'condition',
  'freshness',
  'severity',
  'next',
  'tolerance',
] as const
type ComparedField = (typeof comparedFields)[number]
export type ComparedCheck = Pick<Check, ComparedField>

export interface UpgradedField {
  readonly field: ComparedField
  /** What the original said when it was copied, or compared last. */
  readonly copied: string
  /** What the copy says. */
  readonly own: string
  /** What the original says now. */
  readonly shipped: string
}

export const comparedPart = (check: ComparedCheck): ComparedCheck => ({
  title: check.title,
  scope: check.scope,
  condition: check.condition,
  freshness: check.freshness,
  severity: check.severity,
  next: check.next,
  tolerance: check.tolerance,
})

/** Fields of the original that an upgrade changed; what people changed in the copy alone is none. */
export function upgradedFields(
  own: ComparedCheck,
  { copied, shipped }: { readonly copied: ComparedCheck; readonly shipped: ComparedCheck },
): UpgradedField[] {
  return comparedFields
    .filter((field) => shipped[field] !== copied[field])
    .map((field) => ({ field, copied: copied[field], own: own[field], shipped: shipped[field] }))
}

/** The copy with what the upgrade changed, and whatever else people wrote. */
export const taken = <T extends ComparedCheck>(own: T, fields: readonly UpgradedField[]): T => ({
  ...own,
  ...Object.fromEntries(fields.map(({ field, shipped }) => [field, shipped])),
})
