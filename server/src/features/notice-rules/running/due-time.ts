import { Cron } from 'croner'
import type { Digest, Preferences } from '../rule.ts'

const HOUR_MS = 3_600_000

/** When something that happens at `at` is told: by the rule's digest, and after the person's quiet hours. */
export function dueAt(at: Date, digest: Digest, preferences: Preferences): Date {
  return afterQuiet(byDigest(at, digest, preferences), preferences)
}

/** The next local time at the digest hour; at a clock change as croner has it. */
export const nextDigestAt = (after: Date, { zone, digestHour }: Preferences): Date =>
  nextLocalTime(after, digestHour * 60, zone)

function byDigest(at: Date, digest: Digest, preferences: Preferences): Date {
  if (digest === 'now') return at
  return digest === 'hourly'
    ? new Date(Math.floor(at.getTime() / HOUR_MS + 1) * HOUR_MS)
    : nextDigestAt(at, preferences)
}

function afterQuiet(at: Date, { zone, quietFrom, quietUntil }: Preferences): Date {
  if (quietFrom === null || quietUntil === null) return at
  const [from, until, now] = [minutesOf(quietFrom), minutesOf(quietUntil), minutesOf(localTime(at, zone))]
  const isQuiet = from <= until ? now >= from && now < until : now >= from || now < until
  return isQuiet ? nextLocalTime(at, until, zone) : at
}

function nextLocalTime(after: Date, minutes: number, zone: string): Date {
  const pattern = `${minutes % 60} ${Math.floor(minutes / 60)} * * *`
  return new Cron(pattern, { timezone: zone, paused: true }).nextRun(after) ?? after
}

/** `HH:MM` */
const localTime = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)

export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
