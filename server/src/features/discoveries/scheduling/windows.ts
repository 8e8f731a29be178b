import { invalid } from '#platform/errors.ts'
import { timesAfter } from '#platform/jobs/schedule.ts'

/** Hours on some days, in the local time of a zone. With `to` before `from` it ends on the day after; equal: all day. */
export interface Window {
  /** 0 Sunday to 6 Saturday: the days on which it begins. */
  readonly days: readonly number[]
  /** HH:MM */
  readonly from: string
  readonly to: string
}

const WINDOWS_MAX = 20
const DAY_MINUTES = 24 * 60
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** Refuses, naming the field, what are no windows. */
export function checkedWindows(windows: readonly Window[]): Window[] {
  if (windows.length > WINDOWS_MAX) throw invalid('windows', `are more than ${WINDOWS_MAX}`)
  return windows.map(({ days, from, to }, n) => {
    const where = `windows[${n}]`
    if (days.length === 0 || days.some((day) => !Number.isInteger(day) || day < 0 || day > 6))
      throw invalid(`${where}.days`, 'must be days of the week, 0 (Sunday) to 6')
    if (!TIME.test(from)) throw invalid(`${where}.from`, 'must be a time of day such as 22:00')
    if (!TIME.test(to)) throw invalid(`${where}.to`, 'must be a time of day such as 05:00')
    return { days: [...new Set(days)].toSorted((a, b) => a - b), from, to }
  })
}

/** Whether `at` lies in one of the windows; always, when there are none. */
export function isOpen(windows: readonly Window[], zone: string, at: Date): boolean {
  if (windows.length === 0) return true
  const { day, minute } = localTime(zone, at)
  return windows.some(({ days, from, to }) => {
    const [begin, end] = [minuteOf(from), minuteOf(to)]
    const isOn = (weekday: number): boolean => days.includes((weekday + 7) % 7)
    if (end > begin) return isOn(day) && minute >= begin && minute < end
    return (isOn(day) && minute >= begin) || (isOn(day - 1) && minute < end)
  })
}

/** When one of the windows is open next: `at` itself, or when the next of them begins. */
export function opensAt(windows: readonly Window[], zone: string, at: Date): Date {
  if (isOpen(windows, zone, at)) return at
  const times = windows.flatMap(({ days, from }) => {
    const [hour, minute] = from.split(':').map(Number)
    return timesAfter({ cron: `${minute} ${hour} * * ${days.join(',')}`, zone }, at, 1, '')
  })
  const [first] = times.toSorted((a, b) => a.getTime() - b.getTime())
  if (!first) throw invalid('windows', 'never begin')
  return first
}

const minuteOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return (hour * 60 + minute) % DAY_MINUTES
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function localTime(zone: string, at: Date): { day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return {
    day: WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
}
