import { mergeHistory, combinedPayload } from './observation-history.ts'
import type { Observation } from '../observation.ts'
import { DEFAULT_SCOPE } from './observation-scope.ts'
import {
  hashOf,
  identifiersOf,
  payloadOf,
  type HistoryEntry,
  type KnownSource,
  type NormalisedIdentifier,
  type ObservationRecord,
  type Payload,
  type StoredIdentifier,
} from './observation-record.ts'

/** An observation that passed validation, to be merged into the record of the same source and key. */
export interface ValidObservation {
  /** Its index in the batch. */
  readonly index: number
  readonly sourceKey: string
  readonly scope: string
  readonly assetId: string | undefined
  readonly seenAt: number
  readonly payload: Payload
  readonly payloadHash: string
  readonly current: readonly NormalisedIdentifier[]
}

export function validObservation(observation: Observation, index: number): ValidObservation {
  const payload = payloadOf(observation)
  return {
    index,
    sourceKey: observation.sourceKey,
    scope: observation.scope ?? DEFAULT_SCOPE,
    assetId: observation.assetId,
    seenAt: observation.seenAt.getTime(),
    payload,
    payloadHash: hashOf(payload),
    current: identifiersOf(payload),
  }
}

export function newRecord(report: ValidObservation, source: KnownSource, id: string): ObservationRecord {
  const { sourceKey, scope, seenAt, payload, payloadHash, current } = report
  return {
    id,
    assetId: undefined,
    source,
    sourceKey,
    scope,
    firstSeen: seenAt,
    lastSeen: seenAt,
    payload,
    payloadHash,
    history: [],
    combined: payload,
    watched: false,
    current,
    identifiers: current.map((each) => ({ ...each, firstSeen: seenAt, lastSeen: undefined })),
  }
}

/**
 * Merges a report into the record. What the newest report mentions replaces older values; what it leaves out stays. Of
 * reports with the same time the greater hash counts as newer. Each identifier has the times at which it was first and
 * last reported. The result does not depend on the order of the reports.
 */
export function mergeReport(known: ObservationRecord, report: ValidObservation): ObservationRecord {
  const { seenAt, payload, payloadHash: hash } = report
  if (hash === known.payloadHash && seenAt >= known.lastSeen) return { ...known, lastSeen: seenAt }
  const before: HistoryEntry = { seenAt: known.lastSeen, hash: known.payloadHash, payload: known.payload }
  const now: HistoryEntry = { seenAt, hash, payload }
  const [newest, ...history] = mergeHistory([now, before, ...known.history])
  const combined = combinedPayload(newest.payload, history)
  return {
    ...known,
    firstSeen: Math.min(known.firstSeen, seenAt),
    lastSeen: newest.seenAt,
    payload: newest.payload,
    payloadHash: newest.hash,
    history,
    combined,
    current: identifiersOf(combined),
    identifiers: remember(known, report, newest === now),
  }
}

function remember(known: ObservationRecord, report: ValidObservation, wins: boolean): StoredIdentifier[] {
  const { seenAt } = report
  const now = new Map(report.current.map((each) => [keyOf(each), each]))
  const history = known.identifiers.map((each): StoredIdentifier => {
    const again = now.get(keyOf(each))
    now.delete(keyOf(each))
    const before = each.lastSeen ?? known.lastSeen
    const until = again ? Math.max(before, seenAt) : before
    const current = wins ? again !== undefined : each.lastSeen === undefined
    return {
      ...each,
      firstSeen: again ? Math.min(each.firstSeen, seenAt) : each.firstSeen,
      lastSeen: current ? undefined : until,
      static: each.static || again?.static === true,
    }
  })
  const added = [...now.values()].map((each): StoredIdentifier => ({
    ...each,
    firstSeen: seenAt,
    lastSeen: wins ? undefined : seenAt,
  }))
  return [...history, ...added]
}

const keyOf = ({ type, value }: Pick<StoredIdentifier, 'type' | 'value'>): string => `${type} ${value}`
