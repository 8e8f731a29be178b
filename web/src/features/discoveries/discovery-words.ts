import type { DiscoveryRow, DiscoveryRunRow } from '#api/generated/discoveries.ts'
import type { DiscoveryHostOutcome } from '#api/generated/enums-and-inputs.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Cron for what most networks need, by its words. */
export const usualSchedules: Readonly<Record<string, string>> = {
  '0 2 * * *': 'Every night at 02:00',
  '0 2 * * 1-5': 'Monday to Friday at 02:00',
  '0 2 * * 0': 'Every Sunday at 02:00',
  '0 */6 * * *': 'Every six hours',
  '0 * * * *': 'Every hour',
}

/** `Every night at 02:00, Europe/Berlin`, or that somebody starts it. */
export const scheduleText = ({ cron, zone, isEnabled }: DiscoveryRow): string => {
  if (cron === null) return 'When somebody starts it'
  const when = `${usualSchedules[cron] ?? cron}, ${zone}`
  return isEnabled ? when : `${when} (paused)`
}

/** `Mon, Tue 22:00–05:00`; empty: at any time. */
export const windowsText = ({ windows }: Pick<DiscoveryRow, 'windows'>): string =>
  windows.map(({ days, from, to }) => `${days.map((day) => DAYS[day]).join(', ')} ${from}–${to}`).join('; ')

/** As people type windows: one a line, `Mon,Tue 22:00-05:00`. */
export const windowLines = ({ windows }: Pick<DiscoveryRow, 'windows'>): string =>
  windows.map(({ days, from, to }) => `${days.map((day) => DAYS[day]).join(',')} ${from}-${to}`).join('\n')

/** The windows of such lines; the first line that is none, as text. */
export function windowsFrom(lines: string): DiscoveryRow['windows'][number][] | string {
  const windows = []
  for (const line of lines.split('\n').filter((it) => it.trim() !== '')) {
    const [, names = '', from = '', to = ''] =
      /^([a-z]{2,3}(?:\s*,\s*[a-z]{2,3})*)\s+(\S+?)\s*[-–]\s*(\S+)$/i.exec(line.trim()) ?? []
    const days = names
      .split(',')
      .map((name) => DAYS.findIndex((it) => it.toLowerCase() === name.trim().toLowerCase()))
    if (from === '' || days.includes(-1)) return line.trim()
    windows.push({ days, from, to })
  }
  return windows
}

export const outcomeWords: Readonly<Record<DiscoveryHostOutcome, string>> = {
  logged_in: 'Logged in',
  refused: 'Refused',
  unanswered: 'No answer',
  not_asked: 'Not asked',
}

export const isUnderWay = ({ status }: Pick<DiscoveryRunRow, 'status'>): boolean =>
  status === 'pending' || status === 'running' || status === 'waiting'
