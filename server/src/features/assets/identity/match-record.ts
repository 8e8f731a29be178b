import { vendorKey } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'
import { weightOf } from './evidence-weights.ts'

/** An observation as matching compares it: all identifiers that its source ever reported. */
export interface MatchRecord {
  readonly id: string
  /** Source and source key. Breaks ties, so that results do not depend on the order of arrival. */
  readonly key: string
  /** The network that it was seen in: addresses and MAC addresses are compared within one only. */
  readonly scope: string
  /** Nobody knows in which network it was seen, as with an agent: its universal MAC addresses are compared in all of them. */
  readonly isAnywhere: boolean
  readonly maker: string | undefined
  readonly identifierPeriods: ReadonlyMap<string, IdentifierPeriod>
}

/** A normalised identifier and the period (milliseconds since 1970) in which its source reported it. */
export interface IdentifierPeriod {
  readonly type: IdentifierType
  readonly value: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly static: boolean
  /** Its source reports other values of this type now. */
  readonly ended: boolean
  /** Of a name: people said that the phones of this name are one. */
  readonly isRemembered?: boolean
}

/** Tolerance between two periods: the interval at which agents report. */
export const CHECK_IN_MS = 15 * 60_000

/** Keys (`valueKey`) of values that many machines share; they are no evidence. */
export type SharedValues = ReadonlySet<string>

/** Between the parts of the key of a match record: kind and name of the source, and its key of the device. */
export const KEY_SEPARATOR = '\u0001'

/** Kind and name of the source that told it. */
export const sourceOf = ({ key }: Pick<MatchRecord, 'key'>): string =>
  key.split(KEY_SEPARATOR, 2).join(KEY_SEPARATOR)

export const valueKey = (type: IdentifierType, value: string): string => `${type} ${value}`

export interface MatchRecordFields extends Omit<MatchRecord, 'maker' | 'identifierPeriods' | 'isAnywhere'> {
  readonly isAnywhere?: boolean
  readonly vendor: string | undefined
  /** Without `ended`: the value was not in the newest report. */
  readonly identifierPeriods: readonly (Omit<IdentifierPeriod, 'ended'> & { readonly ended?: boolean })[]
}

export function matchRecord({
  vendor,
  identifierPeriods,
  isAnywhere = false,
  ...fields
}: MatchRecordFields): MatchRecord {
  const newest = Math.max(...identifierPeriods.map(({ lastSeen }) => lastSeen))
  return {
    ...fields,
    isAnywhere,
    maker: vendorKey(vendor),
    identifierPeriods: new Map(
      identifierPeriods.map((period) => [
        valueKey(period.type, period.value),
        { ...period, ended: period.ended ?? period.lastSeen < newest },
      ]),
    ),
  }
}

export function periodsOfType(record: MatchRecord, type: IdentifierType): IdentifierPeriod[] {
  return [...record.identifierPeriods.values()].filter((period) => period.type === type)
}

/** Whether they were seen in two networks, so that an address or a MAC address of both says nothing. */
export const areInTwoNetworks = (a: MatchRecord, b: MatchRecord): boolean =>
  a.scope !== b.scope && !a.isAnywhere && !b.isAnywhere

/** Whether two periods overlap, with a tolerance of CHECK_IN_MS. */
export function overlap(a: IdentifierPeriod, b: IdentifierPeriod): boolean {
  return a.firstSeen <= b.lastSeen + CHECK_IN_MS && b.firstSeen <= a.lastSeen + CHECK_IN_MS
}

/** Whether two periods overlap, without any tolerance: a phone may take its next random address in a minute. */
export function atOnce(a: IdentifierPeriod, b: IdentifierPeriod): boolean {
  return a.firstSeen <= b.lastSeen && b.firstSeen <= a.lastSeen
}

/** What was reported within a day of each other was there at the same time. */
const DAY_MS = 24 * 60 * 60_000

export function sameDay(a: IdentifierPeriod, b: IdentifierPeriod): boolean {
  return a.firstSeen <= b.lastSeen + DAY_MS && b.firstSeen <= a.lastSeen + DAY_MS
}

/**
 * Whether two reports of one value can be of one holder: not if one source stopped to report it and the other reports it
 * after that, as with a network card or a disk that went to another machine.
 */
export function oneHolder(a: IdentifierPeriod, b: IdentifierPeriod): boolean {
  return !passedOn(a, b) && !passedOn(b, a)
}

function passedOn(from: IdentifierPeriod, to: IdentifierPeriod): boolean {
  if (!from.ended) return false
  return to.firstSeen > from.lastSeen + CHECK_IN_MS || to.lastSeen > from.lastSeen + DAY_MS
}

/**
 * Whether all identifiers are weak: addresses, names derived from addresses or in common use, random MAC addresses.
 * Such a record has at least one address.
 */
export function isWeak(record: MatchRecord, shared: SharedValues): boolean {
  let addressed = false
  for (const [key, period] of record.identifierPeriods) {
    if (period.type === 'ip') addressed = true
    else if (weightOf(period.type, period.value) > WEAK_WEIGHT_MAX && !shared.has(key)) return false
  }
  return addressed
}

const WEAK_WEIGHT_MAX = 0.3
