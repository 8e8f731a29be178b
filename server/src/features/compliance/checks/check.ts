/** A question about assets that decides whether controls are met. */
export interface Check {
  /** A slug for those that come with the product, a UUID for the organisation's own. */
  readonly id: string
  readonly title: string
  /** Which assets it is about, as a condition; empty: all. Where it is false or unknown, the asset is not in scope. */
  readonly scope: string
  /** True: in order; false: failed; unknown where it asks about what was never collected. */
  readonly condition: string
  /**
   * A condition under which what is known is recent enough. Where it does not hold, an asset that would be in order is
   * unknown; one that fails still fails. Empty: always recent enough.
   */
  readonly freshness: string
  readonly severity: CheckSeverity
  /** What to do about an asset that fails. */
  readonly next: string
  /** Ids of controls by slug of framework. */
  readonly controls: Readonly<Record<string, readonly string[]>>
  readonly tolerance: Tolerance
  /** By slug of framework, where one tolerates another number. */
  readonly tolerances?: Readonly<Record<string, Tolerance>>
  readonly revision: number
  readonly isOwn: boolean
  /** The id of the shipped check that it is a copy of. */
  readonly copiedFrom?: string | null
}

/** The worst first. */
export const checkSeverities = ['critical', 'high', 'medium', 'low'] as const
export type CheckSeverity = (typeof checkSeverities)[number]

/** How many assets may fail before the control does: a number, or a share of those in scope such as `2%`. */
export type Tolerance = string

const TOLERANCE = /^(?:\d{1,9}|(?:\d{1,2}|100)%)$/

export const isTolerance = (text: string): boolean => TOLERANCE.test(text)

/** As a number of assets; a share is rounded down. */
export function toleratedOf(tolerance: Tolerance, inScope: number): number {
  const number = Number.parseInt(tolerance, 10)
  return tolerance.endsWith('%') ? Math.floor((inScope * number) / 100) : number
}

type Urgency = Pick<Check, 'severity' | 'title'>

/** The worst severity first, then by title. */
export function byUrgency(a: Urgency, b: Urgency): number {
  const difference = checkSeverities.indexOf(a.severity) - checkSeverities.indexOf(b.severity)
  return difference === 0 ? a.title.localeCompare(b.title, 'en') : difference
}
