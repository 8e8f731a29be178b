import { normaliseIdentifier } from './identifiers.ts'
import { identifierTypes, type IdentifierType } from '../observation.ts'
import { candidatePair, cluster } from './identity.ts'
import { matchRecord, type MatchRecord, type MatchRecordFields } from './match-record.ts'
import { allShared } from './shared-identifier-values.ts'

/** For tests: short notation for match records. */
export const MINUTE = 60_000
const START = Date.parse('2026-01-05T08:00:00Z')

const at = (ms: number): number => START + ms

export interface Circumstances {
  /** Milliseconds after the start; `until` is `from` unless given. */
  readonly from?: number
  readonly until?: number
  readonly vendor?: string | undefined
  readonly scope?: string
  readonly isAnywhere?: boolean
  readonly static?: boolean
}

export function recordOf(
  key: string,
  values: Partial<Record<IdentifierType, readonly string[]>> | Record<string, readonly string[]>,
  {
    from = 0,
    until = from,
    vendor,
    scope = 'default',
    isAnywhere = false,
    static: fixed = false,
  }: Circumstances = {},
): MatchRecord {
  const named = values as Partial<Record<IdentifierType, readonly string[]>>
  const identifierPeriods = identifierTypes.flatMap((type) =>
    (named[type] ?? []).flatMap((text): MatchRecordFields['identifierPeriods'] => {
      const reading = normaliseIdentifier({ type, value: text })
      if (reading.kind !== 'value') return []
      return [{ type, value: reading.value, firstSeen: at(from), lastSeen: at(until), static: fixed }]
    }),
  )
  return matchRecord({ id: `id-${key}`, key, scope, isAnywhere, vendor, identifierPeriods })
}

/** About the first two, when these are all. */
export function decisionOn(...records: MatchRecord[]): 'one' | 'asked' | 'two' {
  const shared = new Set(allShared(records).keys())
  if (cluster({ matchRecords: records, constraints: [], shared }).length === 1) return 'one'
  const [a, b] = records
  return a && b && candidatePair(a, b, shared) ? 'asked' : 'two'
}
