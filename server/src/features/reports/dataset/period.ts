/** A part of time: `from` is in it, `until` is not. */
export interface Period {
  readonly from: Date
  readonly until: Date
}

const DAY_MS = 86_400_000
const DAYS_MAX = 3_660

/**
 * What a reporting period means, seen from `now`: `2026`, `2026-Q3`, `2026-09`, `2026-01-01/2026-03-31` (both days are
 * in it) or `last-30-days`; all in UTC. Undefined: not understood.
 */
export function parsePeriod(text: string, now: Date): Period | undefined {
  const [, year, quarter, month] = /^(\d{4})(?:-Q([1-4])|-(\d\d))?$/.exec(text) ?? []
  if (year !== undefined && quarter !== undefined) return months(Number(year), 3 * Number(quarter) - 3, 3)
  if (year !== undefined && month !== undefined)
    return Number(month) >= 1 && Number(month) <= 12 ? months(Number(year), Number(month) - 1, 1) : undefined
  if (year !== undefined) return months(Number(year), 0, 12)
  const days = Number(/^last-(\d{1,4})-days$/.exec(text)?.[1])
  if (days >= 1 && days <= DAYS_MAX) return { from: new Date(now.getTime() - days * DAY_MS), until: now }
  const [, first = '', last = ''] = /^(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)$/.exec(text) ?? []
  const [from, lastDay] = [dayOf(first), dayOf(last)]
  if (!from || !lastDay || from > lastDay) return undefined
  return { from, until: new Date(lastDay.getTime() + DAY_MS) }
}

function months(year: number, first: number, count: number): Period {
  return { from: startOfMonth(year, first), until: startOfMonth(year, first + count) }
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century. */
function startOfMonth(year: number, month: number): Date {
  const at = new Date(0)
  at.setUTCFullYear(year, month, 1)
  return at
}

/** Undefined for what is no day of the calendar, such as 2026-02-30. */
function dayOf(text: string): Date | undefined {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && text !== '' ? at : undefined
}
