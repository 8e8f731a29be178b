import { Cron } from 'croner'
import { invalid } from '../errors.ts'

export interface Schedule {
  /** minute hour day-of-month month day-of-week */
  readonly cron: string
  /** IANA, for example Europe/Berlin */
  readonly zone: string
}

/** What stands before the names of the fields that refusals name. */
const IN_FLOWS = 'trigger.'
const FIELDS = 5
const SPACING_MINUTES_MIN = 5
const TIMES_COMPARED = 24

/**
 * The first time after `from`. A local time that a clock change leaves out is the moment of the change, one that it
 * repeats is the first of both. Throws `invalid` for what is no schedule, never comes, or comes too often.
 */
export function nextTime(schedule: Schedule, from: Date, of = IN_FLOWS): Date {
  const times = timesAfter(schedule, from, TIMES_COMPARED, of)
  const [first] = times
  if (!first) throw invalid(`${of}cron`, `${schedule.cron} never comes`)
  const isTooDense = times.some((time, n) => {
    const before = times[n - 1]
    return before !== undefined && time.getTime() - before.getTime() < SPACING_MINUTES_MIN * 60_000
  })
  if (isTooDense) throw invalid(`${of}cron`, `must be at least ${SPACING_MINUTES_MIN} minutes apart`)
  return first
}

/** The next so many times, for the editor. */
export function timesAfter({ cron, zone }: Schedule, from: Date, count: number, of = IN_FLOWS): Date[] {
  if (!isZone(zone)) throw invalid(`${of}zone`, `${zone} is no IANA time zone such as Europe/Berlin`)
  if (cron.trim().split(/\s+/).length !== FIELDS)
    throw invalid(`${of}cron`, 'must have five fields: minute hour day month weekday')
  try {
    return new Cron(cron, { timezone: zone, paused: true }).nextRuns(count, from)
  } catch (error) {
    throw invalid(`${of}cron`, (error as Error).message)
  }
}

export function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
