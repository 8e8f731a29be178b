import { formats, language } from './formats.ts'

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

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/** `3 hr. ago`, `in 2 days`; within a minute `just now`. */
export function ago(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1_000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now'
}

/** `Feb 19, 2027`. */
export const day = (instant: string): string => formats().date.format(new Date(instant))

export const exactly = (instant: string): string => formats().exact.format(new Date(instant))

/** `4 s`, `2 min 10 s`, `1 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`
  return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`
}

/** The time zone in which the person reads days. */
export const zone = (): string => formats().zone

const weekday = new Intl.DateTimeFormat(language, {
  weekday: 'long',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** `Today`, `Yesterday`, `Thursday, Feb 19`, of a day as `2027-02-19`. */
export function dayName(written: string, now = Date.now()): string {
  if (written === dayIn(0, now)) return 'Today'
  if (written === dayIn(-1, now)) return 'Yesterday'
  return weekday.format(new Date(`${written}T00:00:00Z`))
}

/** The date in the given number of days, in the person's time zone, as date inputs use it: `2027-02-19`. */
export const dayIn = (days: number, now = Date.now()): string =>
  dayAfter(formats().wall.format(now).slice(0, 'yyyy-mm-dd'.length), days)

/** So many days after a date. */
export const dayAfter = (written: string, days: number): string =>
  new Date(Date.parse(`${written}T00:00:00Z`) + days * DAY * 1_000)
    .toISOString()
    .slice(0, 'yyyy-mm-dd'.length)

/** The first instant of a date in the person's time zone. */
export const startOfDay = (written: string): Date => new Date(instantOf(`${written}T00:00:00.000`))

/** The last instant of a date from a date input, in the person's time zone; undefined for an invalid date. */
export function endOfDay(written: string): Date | undefined {
  const end = new Date(instantOf(`${written}T23:59:59.999`))
  return Number.isNaN(end.getTime()) ? undefined : end
}

/** The instant at which clocks in the person's time zone show `2027-02-19T14:03:05`; not a number for an invalid one. */
export function instantOf(wall: string): number {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return asUtc
  const first = asUtc - ahead(asUtc)
  // the offset there may be another one than at the guess
  return asUtc - ahead(first)
}

/** How far clocks in the person's time zone are ahead of UTC at an instant. */
function ahead(instant: number): number {
  const whole = Math.floor(instant / 1_000) * 1_000
  return Date.parse(`${formats().wall.format(whole).replace(' ', 'T')}Z`) - whole
}
