/** Whether the text is a day of the calendar, written like 2026-03-31; a year 0 is none, and PostgreSQL has none. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const RFC3339 = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):\d\d)$/

/** The first that RFC 3339 has no text for in UTC. */
const YEAR_10000 = Date.UTC(10_000, 0)
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')

/**
 * Whether the text is an instant of RFC 3339 that PostgreSQL reads: at most nanoseconds, less than 16 hours from UTC, and
 * in UTC still in the years 1 to 9999.
 */
export function isInstant(text: string): boolean {
  const day = RFC3339.exec(text)?.[1]
  // 2026-02-30T00:00:00Z is read as the second of March by JavaScript, and refused by PostgreSQL
  if (day === undefined || !isCalendarDate(day)) return false
  const at = Date.parse(text)
  return at >= YEAR_1 && at < YEAR_10000
}
