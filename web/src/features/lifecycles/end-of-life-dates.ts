import type { EndOfLifeRow } from '#api/generated/lifecycles.ts'
import { many } from '#lib/numbers.ts'

const DAY_MS = 86_400_000

/** Whole days until the date; negative if it has passed. */
export const daysTo = (endsOn: string, today = new Date()): number =>
  Math.round((Date.parse(endsOn) - Date.parse(today.toISOString().slice(0, 10))) / DAY_MS)

/** `in 12 days`, `3 years ago`; dates have no time of day. */
export function distanceTo(endsOn: string, today = new Date()): string {
  const days = daysTo(endsOn, today)
  if (days === 0) return 'today'
  const words = rounded(Math.abs(days))
  return days > 0 ? `in ${words}` : `${words} ago`
}

function rounded(days: number): string {
  if (days < 60) return many(days, 'day', 'days')
  return days < 730 ? many(Math.floor(days / 30.4), 'month') : many(Math.floor(days / 365.25), 'year')
}

/** Display name: the name of an operating system contains its version, software needs it appended. */
export const nameOf = ({ kind, name, version }: Pick<EndOfLifeRow, 'kind' | 'name' | 'version'>): string =>
  kind === 'system' || version === '' ? name : `${name} ${version}`
