import type { CloudProvider, ResourceCost } from '../cloud-resource.ts'

/** One amount as a provider tells it. */
export interface CostLine {
  readonly account: string
  /** The provider's id of a resource, or a machine's `cloudId`; empty for what belongs to none. */
  readonly resource: string
  /** The first day of what it is of, `YYYY-MM-DD`: of one day or one month, as its reader has it. */
  readonly day: string
  /** ISO 4217 */
  readonly currency: string
  /** A decimal number; may be negative, may have an exponent. */
  readonly amount: string
}

/** Days, the end exclusive: `YYYY-MM-DD`. */
export interface CostPeriod {
  readonly from: string
  readonly until: string
  /** From here on the sums of accounts are asked for, where they go further back than those of resources. */
  readonly totalsFrom?: string
}

export interface CostPage {
  readonly lines: readonly CostLine[]
  /** What could not be told, and why. */
  readonly shortfall?: string
}

/** What an account costs in a month. */
export interface AccountCost extends ResourceCost {
  readonly provider: CloudProvider
  readonly account: string
  readonly accountName: string
  /** Of the amount, what its resources in the inventory cost. */
  readonly ofResources: string
  /** The first and last day that are in it, `YYYY-MM-DD`. */
  readonly knownFrom: string
  readonly knownUntil: string
  /** All days of the month are in it. */
  readonly isWhole: boolean
}

/** How the reading of costs of an account went. */
export interface CostAccount {
  readonly account: string
  readonly accountName: string
  readonly status: 'complete' | 'partial' | 'failed'
  readonly reason: string
  readonly completedAt: string | null
}

const DAY_MS = 86_400_000
/** Cost Explorer tells costs by resource for so long back. */
const DAYS_BACK = 14
/** Amounts of days are corrected within so many. */
const SETTLED_DAYS = 3
const MONTHS_BACK = 3
/** A month may change until this day of the next one. */
const SETTLED_ON = 10

export interface CostPlan {
  readonly periods: readonly CostPeriod[]
  /** Once they have been read: days before it need not be asked for again. */
  readonly settledUntil: string
}

/** What is to be asked for today, of an account of which the days before `settled` are known. */
export function planCosts(by: 'day' | 'month', now: Date, settled: string | null): CostPlan {
  const today = dayOf(now)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  if (by === 'day') {
    const from = later(settled, dayOf(new Date(now.getTime() - DAYS_BACK * DAY_MS)))
    const settledUntil = dayOf(new Date(now.getTime() - SETTLED_DAYS * DAY_MS))
    const totalsFrom = later(settled, firstOf(year, month - MONTHS_BACK))
    return { periods: from < today ? [{ from, until: today, totalsFrom }] : [], settledUntil }
  }
  const periods = Array.from({ length: MONTHS_BACK + 1 }, (_, n) => ({
    from: firstOf(year, month - MONTHS_BACK + n),
    until: firstOf(year, month - MONTHS_BACK + n + 1),
  })).filter(({ from }) => settled === null || from >= settled)
  return { periods, settledUntil: firstOf(year, now.getUTCDate() >= SETTLED_ON ? month : month - 1) }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const firstOf = (year: number, month: number): string => dayOf(new Date(Date.UTC(year, month, 1)))

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b)
