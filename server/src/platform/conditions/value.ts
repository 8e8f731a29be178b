import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'
import type { Value } from './condition.ts'
import type { Field, FieldType } from './field.ts'
import { normalizeText } from './normalize-text.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A month counts 30 days, a year 365. */
const UNIT_MS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  m: 30 * DAY_MS,
  y: 365 * DAY_MS,
}
const SPAN = /^([+-])(\d{1,6})([hdwmy])$/
/** What both PostgreSQL and four digits of a year can say. */
const [EARLIEST_MS, LATEST_MS] = [Date.UTC(1900, 0, 1), Date.UTC(9999, 11, 31)]
/** PostgreSQL takes no NUL, and nobody means the others. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
const NUMBER = /^-?\d+(\.\d+)?$/
const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/** What a field of each type takes, in words. */
export const expectedValue: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  version: 'a version',
  number: 'a number',
  bool: 'yes or no',
  date: 'a day such as 2026-03-31, or a span such as -30d or +90d',
  instant: 'a day such as 2026-03-31, an instant such as 2026-03-31T12:00:00Z, or a span such as -30d',
  ip: 'an address or a network such as 10.0.0.0/8',
}

/** Reads `text` by the field's type; undefined when it is none of its values. */
export function readValue({ type, values }: Field, text: string): Value | undefined {
  switch (type) {
    case 'text':
      return textValue(normalizeText(text), values)
    case 'version':
      return text.trim() === '' ? undefined : { type: 'version', text: text.trim() }
    case 'number':
      return NUMBER.test(text) ? { type: 'number', number: Number(text) } : undefined
    case 'bool':
      return boolValue(normalizeText(text))
    case 'date':
      return spanValue(text) ?? dayValue(text)
    case 'instant':
      return spanValue(text) ?? dayValue(text) ?? instantValue(text)
    case 'ip':
      return ipValue(text)
  }
}

function textValue(normalized: string, values: readonly string[] | undefined): Value | undefined {
  if (normalized === '' || UNPRINTABLE.test(normalized)) return undefined
  if (values && !values.some((it) => normalizeText(it) === normalized)) return undefined
  return { type: 'text', normalized }
}

function boolValue(normalized: string): Value | undefined {
  if (normalized === 'yes') return { type: 'bool', isTrue: true }
  return normalized === 'no' ? { type: 'bool', isTrue: false } : undefined
}

function spanValue(text: string): Value | undefined {
  const [, sign, amount, unit = ''] = SPAN.exec(text) ?? []
  if (!sign) return undefined
  return { type: 'span', ms: (sign === '-' ? -1 : 1) * Number(amount) * (UNIT_MS[unit] ?? 0) }
}

function dayValue(text: string): Value | undefined {
  if (!DAY.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  // 2026-02-30 is read as the second of March
  return isInRange(at.getTime()) && dayOf(at) === text ? { type: 'day', day: text } : undefined
}

function instantValue(text: string): Value | undefined {
  if (!INSTANT.test(text)) return undefined
  const ms = Date.parse(text)
  return isInRange(ms) ? { type: 'instant', ms } : undefined
}

/** False for what is no number, too. */
const isInRange = (ms: number): boolean => ms >= EARLIEST_MS && ms <= LATEST_MS

const inRange = (ms: number): number => Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS)

function ipValue(text: string): Value | undefined {
  const [address = '', bits, more] = text.split('/')
  if (more !== undefined || isIP(address) === 0 || address.includes('%')) return undefined
  const canonical = ipaddr.parse(address)
  if (bits === undefined) return { type: 'ip', network: canonical.toString(), isNetwork: false }
  const most = canonical.kind() === 'ipv4' ? 32 : 128
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined
  return { type: 'ip', network: networkOf(canonical, Number(bits)), isNetwork: true }
}

/** `10.1.2.3/8` is meant as 10.0.0.0/8. */
function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const text = `${address.toString()}/${bits}`
  const base =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text)
  return `${base.toString()}/${bits}`
}

/** `YYYY-MM-DD` in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The day that a value of a date field means. */
export function dayMeant(value: Value, now: Date): string {
  if (value.type === 'day') return value.day
  const midnight = Date.parse(`${dayOf(now)}T00:00:00Z`)
  return dayOf(new Date(inRange(midnight + (value.type === 'span' ? value.ms : 0))))
}

/** The stretch that a value of an instant field means, `to` exclusive: a day is all of it, the rest one millisecond. */
export function stretchMeant(value: Value, now: Date): { from: Date; to: Date } {
  if (value.type === 'day') {
    const from = Date.parse(`${value.day}T00:00:00Z`)
    return { from: new Date(from), to: new Date(from + DAY_MS) }
  }
  const from =
    value.type === 'instant' ? value.ms : inRange(now.getTime() + (value.type === 'span' ? value.ms : 0))
  return { from: new Date(from), to: new Date(from + 1) }
}
