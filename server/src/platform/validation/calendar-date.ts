/** Whether the text is a day of the calendar, written like 2026-03-31; a year 0 is none, and PostgreSQL has none. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const RFC3339 = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Whether the text is an instant of RFC 3339 that there was or will be. */
export function isInstant(text: string): boolean {
  const day = RFC3339.exec(text)?.[1]
  // 2026-02-30T00:00:00Z is read as the second of March by JavaScript, and refused by PostgreSQL
  return day !== undefined && isCalendarDate(day) && !Number.isNaN(Date.parse(text))
}
