import { makerOf } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'
import { weightOf } from './evidence-weights.ts'

/** An observation as identity sees it: all that its source ever said to tell the thing from others. */
export interface MatchRecord {
  readonly id: string
  /** Source and source key: the same however the observations arrived. Orders everything that needs an order. */
  readonly key: string
  /** Addresses mean something within a scope only. */
  readonly scope: string
  readonly maker: string | undefined
  readonly identifierPeriods: ReadonlyMap<string, IdentifierPeriod>
}

/** A normalised identifier, and from when to when (milliseconds) its source saw it on this thing. */
export interface IdentifierPeriod {
  readonly type: IdentifierType
  readonly value: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly static: boolean
}

/** An agent that was silent for longer is no longer live; an address may have passed to another machine. */
export const CHECK_IN_MS = 15 * 60_000

/** Values that many machines share, as `valueKey` spells them: they count for nothing. */
export type SharedValues = ReadonlySet<string>

export const valueKey = (type: IdentifierType, value: string): string => `${type} ${value}`

export interface MatchRecordFields extends Omit<MatchRecord, 'maker' | 'identifierPeriods'> {
  readonly vendor: string | undefined
  readonly identifierPeriods: readonly IdentifierPeriod[]
}

export function matchRecord({ vendor, identifierPeriods, ...fields }: MatchRecordFields): MatchRecord {
  return {
    ...fields,
    maker: makerOf(vendor),
    identifierPeriods: new Map(
      identifierPeriods.map((period) => [valueKey(period.type, period.value), period]),
    ),
  }
}

export function periodsOfType(record: MatchRecord, type: IdentifierType): IdentifierPeriod[] {
  return [...record.identifierPeriods.values()].filter((period) => period.type === type)
}

/** Seen at the same time, give or take one check-in. */
export function overlap(a: IdentifierPeriod, b: IdentifierPeriod): boolean {
  return a.firstSeen <= b.lastSeen + CHECK_IN_MS && b.firstSeen <= a.lastSeen + CHECK_IN_MS
}

/**
 * It says where the thing is and nothing about what it is: addresses, names that follow them or that everybody
 * uses, random MAC addresses.
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
