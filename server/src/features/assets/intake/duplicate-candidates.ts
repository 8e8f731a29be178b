import { candidatePair, type CandidatePair } from '../identity/identity.ts'
import type { AffectedObservations } from './affected-observations.ts'
import { isRoaming } from '../identity/evidence.ts'
import { mayTurnOutApart } from '../identity/machines-apart.ts'
import {
  oneHolder,
  periodsOfType,
  valueKey,
  type MatchRecord,
  type IdentifierPeriod,
} from '../identity/match-record.ts'

/** After clustering: which pairs may be duplicates, and which observations depend on the time of a repeat. */

export type AssetOf = ReadonlyMap<string, string>

/** Observations for which an unchanged repeat may change the clustering, because periods begin to overlap. */
export function watchedAmong(found: AffectedObservations, assetOf: AssetOf): Set<string> {
  const watched = new Set<string>()
  for (const [record, other, period, key] of addressLinks(found)) {
    const areTwo = areApart(found, assetOf, [record, other])
    const samePlace = period.type === 'ip' && record.scope === other.scope && areTwo
    const same = other.identifierPeriods.get(key)
    const mayPassOn = same !== undefined && period.ended !== same.ended && oneHolder(period, same)
    const mayBeApart = areTwo ? isRoaming(record) && isRoaming(other) : mayTurnOutApart(record, other)
    if (samePlace || mayPassOn || mayBeApart || agentsDiffer(record, other))
      watched.add(record.id).add(other.id)
  }
  return watched
}

/** Pairs of observations in two assets that may be duplicates; pairs with a cannot-link constraint are left out. */
export function candidatePairs(found: AffectedObservations, assetOf: AssetOf): CandidatePair[] {
  const answered = new Set(
    found.constraints.filter(({ kind }) => kind === 'cannot_link').map(({ a, b }) => pairOf(a, b)),
  )
  const pairs = new Map<string, readonly [MatchRecord, MatchRecord]>()
  for (const [record, other, , key] of addressLinks(found)) {
    const pair = pairOf(record.id, other.id)
    if (found.shared.has(key) || pairs.has(pair) || answered.has(pair)) continue
    if (areApart(found, assetOf, [record, other]) && !isPassedOver(found, record, other))
      pairs.set(pair, [record, other])
  }
  return [...pairs.values()].flatMap(([a, b]) => candidatePair(a, b, found.shared) ?? [])
}

/**
 * A phone that takes another random MAC address each week is asked about together with the one alone that came last before
 * it under its name, not with every week before. `record` is core.
 */
function isPassedOver(found: AffectedObservations, record: MatchRecord, other: MatchRecord): boolean {
  if (!isRoaming(record) || !isRoaming(other)) return false
  const [early, late] = cameBefore(record, other) ? [record, other] : [other, record]
  return periodsOfType(record, 'hostname').some(({ type, value }) => {
    const key = valueKey(type, value)
    if (found.shared.has(key) || !other.identifierPeriods.has(key)) return false
    return (found.holders.get(key) ?? []).some(
      (it) =>
        cameBefore(early, it) &&
        cameBefore(it, late) &&
        isRoaming(it) &&
        candidatePair(it, late, found.shared) !== undefined,
    )
  })
}

const cameBefore = (a: MatchRecord, b: MatchRecord): boolean => {
  const [mine, theirs] = [cameAt(a), cameAt(b)]
  return mine === theirs ? a.key < b.key : mine < theirs
}

const cameAt = (record: MatchRecord): number =>
  Math.min(...periodsOfType(record, 'mac').map(({ firstSeen }) => firstSeen))

const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** Each core observation with every other that has one of its values. */
function* addressLinks(
  found: AffectedObservations,
): Generator<[MatchRecord, MatchRecord, IdentifierPeriod, string]> {
  for (const id of found.core) {
    const record = found.matchRecords.get(id)
    if (!record) continue
    for (const [key, period] of record.identifierPeriods) {
      for (const other of found.holders.get(key) ?? [])
        if (other !== record) yield [record, other, period, key]
    }
  }
}

function areApart(
  found: AffectedObservations,
  assetOf: AssetOf,
  pair: readonly [MatchRecord, MatchRecord],
): boolean {
  const [one, other] = pair.map(({ id }) => assetOf.get(id) ?? found.observed.get(id)?.assetId)
  return one !== other
}

function agentsDiffer(a: MatchRecord, b: MatchRecord): boolean {
  const [mine, theirs] = [periodsOfType(a, 'agent_key'), periodsOfType(b, 'agent_key')]
  return (
    mine.length > 0 && theirs.length > 0 && !mine.some(({ value }) => theirs.some((it) => it.value === value))
  )
}
