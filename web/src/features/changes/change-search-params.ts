import { dayAfter, dayIn, startOfDay } from '#lib/dates.ts'
import { changeFamilies } from './change-families.ts'

/** URL search parameters of the changes. */
export interface ChangeSearch {
  /** One of `PERIODS`, or a day; yesterday unless given. */
  readonly since?: string | undefined
  /** The last day. */
  readonly until?: string | undefined
  /** Ids of families, separated by commas; all unless given. */
  readonly kind?: string | undefined
  /** Who made them: an address of a person, say, or `people` for all but Rollcall itself. */
  readonly by?: string | undefined
  /** A condition on the assets. */
  readonly where?: string | undefined
}

/** How many days before today they begin. */
export const PERIODS = [
  { value: 'today', label: 'Today', days: 0 },
  { value: 'yesterday', label: 'Since yesterday', days: 1 },
  { value: 'week', label: 'The last 7 days', days: 7 },
  { value: 'month', label: 'The last 30 days', days: 30 },
  { value: 'quarter', label: 'The last 90 days', days: 90 },
] as const

export const PEOPLE = 'people'
const DAY = /^\d{4}-\d\d-\d\d$/

/** Parses URL search parameters; invalid ones are ignored. */
export function readChangeSearch(raw: Record<string, unknown>): ChangeSearch {
  const { since, until, kind, by, where } = raw
  const families = typeof kind === 'string' ? chosenFamilies({ kind }) : []
  return {
    ...((PERIODS.some(({ value }) => value === since) || isDay(since)) && { since: String(since) }),
    ...(isDay(until) && { until: String(until) }),
    ...(families.length > 0 && { kind: families.join(',') }),
    ...(typeof by === 'string' && by !== '' && { by }),
    ...(typeof where === 'string' && where !== '' && { where }),
  }
}

export const chosenFamilies = ({ kind }: ChangeSearch): readonly string[] =>
  (kind ?? '').split(',').filter((id) => changeFamilies.some((family) => family.id === id))

export const isDay = (given: unknown): given is string =>
  typeof given === 'string' && DAY.test(given) && !Number.isNaN(Date.parse(given))

/** Instants between which changes are asked for: midnights where the person is. */
export function stretchOf({ since, until }: ChangeSearch, now = new Date()) {
  const days = PERIODS.find(({ value }) => value === (since ?? 'yesterday'))?.days
  return {
    since: days === undefined ? midnight(since ?? '') : midnightBefore(now, days),
    ...(until !== undefined && { until: midnight(until, 1) }),
  }
}

/** Where the day begins, or the one so many days later. */
export const midnight = (day: string, later = 0): string => startOfDay(dayAfter(day, later)).toISOString()

const midnightBefore = (now: Date, days: number): string => midnight(dayIn(-days, now.getTime()))

export const whoOf = ({ by }: ChangeSearch) =>
  by === PEOPLE ? { bySystem: false } : { ...(by !== undefined && { changedBy: by }) }
