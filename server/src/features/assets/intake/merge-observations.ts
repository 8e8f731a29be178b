import { settle, united } from './observation-history.ts'
import type { Observation } from '../observation.ts'
import {
  DEFAULT_SCOPE,
  hashOf,
  identifiersOf,
  payloadOf,
  type Kept,
  type KnownSource,
  type Label,
  type Observed,
  type Payload,
  type Remembered,
} from './observation-record.ts'

/** A sighting that passed its check, ready to be folded into what is known of the same source and key. */
export interface Arrival {
  /** Its place in the batch. */
  readonly index: number
  readonly sourceKey: string
  readonly assetId: string | undefined
  readonly seenAt: number
  readonly payload: Payload
  readonly payloadHash: string
  readonly current: readonly Label[]
}

export function arrivalOf(observation: Observation, index: number): Arrival {
  const payload = payloadOf(observation)
  return {
    index,
    sourceKey: observation.sourceKey,
    assetId: observation.assetId,
    seenAt: observation.seenAt.getTime(),
    payload,
    payloadHash: hashOf(payload),
    current: identifiersOf(payload),
  }
}

export function firstSight(arrival: Arrival, source: KnownSource, id: string): Observed {
  const { sourceKey, seenAt, payload, payloadHash, current } = arrival
  return {
    id,
    assetId: undefined,
    source,
    sourceKey,
    scope: DEFAULT_SCOPE,
    firstSeen: seenAt,
    lastSeen: seenAt,
    payload,
    payloadHash,
    kept: [],
    said: payload,
    watched: false,
    current,
    identifiers: current.map((each) => ({ ...each, firstSeen: seenAt, lastSeen: undefined })),
  }
}

/**
 * Adds a sighting to what is known. Whatever it mentions replaces what older sightings said of that, and what it leaves
 * out stays; of sightings of one moment the one with the greater hash is the newer. Every identifier keeps when it was
 * first and last seen. So any order of the same sightings gives the same.
 */
export function fold(known: Observed, arrival: Arrival): Observed {
  const { seenAt, payload, payloadHash: hash } = arrival
  if (hash === known.payloadHash && seenAt >= known.lastSeen) return { ...known, lastSeen: seenAt }
  const before: Kept = { seenAt: known.lastSeen, hash: known.payloadHash, payload: known.payload }
  const now: Kept = { seenAt, hash, payload }
  const [newest, ...kept] = settle([now, before, ...known.kept])
  const said = united(newest.payload, kept)
  return {
    ...known,
    firstSeen: Math.min(known.firstSeen, seenAt),
    lastSeen: newest.seenAt,
    payload: newest.payload,
    payloadHash: newest.hash,
    kept,
    said,
    current: identifiersOf(said),
    identifiers: remember(known, arrival, newest === now),
  }
}

function remember(known: Observed, arrival: Arrival, wins: boolean): Remembered[] {
  const { seenAt } = arrival
  const now = new Map(arrival.current.map((each) => [keyOf(each), each]))
  const kept = known.identifiers.map((each): Remembered => {
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
  const added = [...now.values()].map((each): Remembered => ({
    ...each,
    firstSeen: seenAt,
    lastSeen: wins ? undefined : seenAt,
  }))
  return [...kept, ...added]
}

const keyOf = ({ type, value }: Pick<Remembered, 'type' | 'value'>): string => `${type} ${value}`
