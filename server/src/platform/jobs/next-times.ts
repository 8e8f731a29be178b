import { nextTime, timesAfter, type Schedule } from './schedule.ts'

/** A time at which a schedule is due. */
export interface DueTime {
  /** RFC 3339 */
  readonly at: string
  /** In its zone, such as 2026-03-29 03:00 GMT+2. */
  readonly local: string
  /** The clocks have changed since the time before. */
  readonly isAfterClockChange: boolean
}

const TIMES = 5

/**
 * The next five. Throws `invalid` for what is no schedule, never comes, or comes too often; `of` stands before the names
 * of the fields that it names.
 */
export function nextTimes(schedule: Schedule, now: Date, of?: string): DueTime[] {
  nextTime(schedule, now, of)
  const offset = (at: Date): string => partOf(schedule.zone, at, 'timeZoneName')
  return timesAfter(schedule, now, TIMES, of).map((at, n, times) => ({
    at: at.toISOString(),
    local: localText(schedule.zone, at),
    isAfterClockChange: offset(at) !== offset(times[n - 1] ?? now),
  }))
}

function localText(zone: string, at: Date): string {
  const part = (type: Intl.DateTimeFormatPartTypes) => partOf(zone, at, type)
  const day = `${part('year')}-${part('month')}-${part('day')}`
  return `${day} ${part('hour')}:${part('minute')} ${part('timeZoneName')}`
}

function partOf(timeZone: string, at: Date, type: Intl.DateTimeFormatPartTypes): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'shortOffset',
  })
  return format.formatToParts(at).find((it) => it.type === type)?.value ?? ''
}
