const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** `3 hr. ago`, `in 2 days`; within a minute `just now`. */
export function ago(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1_000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now'
}

/** `Feb 19, 2027`. */
export const day = (instant: string): string => date.format(new Date(instant))

export const exactly = (instant: string): string => exact.format(new Date(instant))

/** `4 s`, `2 min 10 s`, `1 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`
  return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`
}

/** The time zone in which the person reads days. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'short', day: 'numeric' })

/** `Today`, `Yesterday`, `Thursday, Feb 19`, of a day as `2027-02-19`. */
export function dayName(written: string, now = Date.now()): string {
  if (written === dayIn(0, now)) return 'Today'
  if (written === dayIn(-1, now)) return 'Yesterday'
  return weekday.format(new Date(`${written}T00:00:00`))
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** The date in the given number of days, in the person's time zone, as date inputs use it: `2027-02-19`. */
export function dayIn(days: number, now = Date.now()): string {
  const at = new Date(now)
  at.setDate(at.getDate() + days)
  return `${String(at.getFullYear()).padStart(4, '0')}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
}

/** The last instant of a date from a date input, in the person's time zone; undefined for an invalid date. */
export function endOfDay(written: string): Date | undefined {
  const end = new Date(`${written}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end
}
