import { nameClass } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'
import { areElsewhere, areToldApart } from './machines-apart.ts'
import { periodsOfType, sourceOf, type MatchRecord, type IdentifierPeriod } from './match-record.ts'
import { bothLive } from './vetoes.ts'
import { weightOf } from './evidence-weights.ts'

/** Why a value is no evidence in this tenant. */
export type SharedReason =
  | {
      readonly because: 'stronger_values_differ'
      readonly type: IdentifierType
      readonly values: readonly string[]
    }
  | { readonly because: 'live_agents'; readonly values: readonly string[] }
  /** One source tells it of several at once; the values are their names. */
  | { readonly because: 'told_of_many'; readonly values: readonly string[] }
  | { readonly because: 'crowded'; readonly holders: number }

/** A value on more observations than this is no evidence; it also bounds the number of comparisons. */
export const HOLDERS_MAX = 256

/** Whether a value is selective enough to look up; PTR names and generic host names are not. */
export function isSelective(type: IdentifierType, value: string): boolean {
  return type !== 'ptr_name' && !(type === 'hostname' && nameClass(value) === 'generic')
}

/** Depends on the current holders only, never on earlier results, so the order of arrival does not matter. */
export function sharedReason(
  { type, value }: Pick<IdentifierPeriod, 'type' | 'value'>,
  holders: readonly MatchRecord[],
): SharedReason | undefined {
  if (holders.length > HOLDERS_MAX) return { because: 'crowded', holders: holders.length }
  // addresses are reassigned by DHCP; several machines behind one address are separated by vetoes
  if (holders.length < 2 || type === 'ip') return undefined
  return (
    liveAgents(type, holders) ?? strongerValuesDiffer({ type, value }, holders) ?? toldOfMany(type, holders)
  )
}

/** All shared values among these observations. */
export function allShared(matchRecords: readonly MatchRecord[]): Map<string, SharedReason> {
  const shared = new Map<string, SharedReason>()
  for (const [key, { period, holders }] of byValue(matchRecords)) {
    const why = sharedReason(period, holders)
    if (why) shared.set(key, why)
  }
  return shared
}

/** The holders of each selective value. */
export function byValue(
  matchRecords: Iterable<MatchRecord>,
): Map<string, { period: IdentifierPeriod; holders: MatchRecord[] }> {
  const held = new Map<string, { period: IdentifierPeriod; holders: MatchRecord[] }>()
  for (const record of matchRecords) {
    for (const [key, period] of record.identifierPeriods) {
      const entry = held.get(key)
      if (entry) entry.holders.push(record)
      else if (isSelective(period.type, period.value)) held.set(key, { period, holders: [record] })
    }
  }
  return held
}

/** Without agent keys: a reinstalled machine has two. Two at the same time are found by `liveAgents`. */
const strongTypes: readonly IdentifierType[] = ['tpm_ek', 'cloud_id', 'serial', 'smbios_uuid']
const DISTINCT_VALUES_MIN = 3

function strongerValuesDiffer(
  { type, value }: Pick<IdentifierPeriod, 'type' | 'value'>,
  holders: readonly MatchRecord[],
): SharedReason | undefined {
  for (const stronger of strongTypes) {
    if (weightOf(stronger, '') <= weightOf(type, value)) continue
    const distinct = distinctValues(stronger, holders)
    if (distinct.length >= DISTINCT_VALUES_MIN) {
      return {
        because: 'stronger_values_differ',
        type: stronger,
        values: distinct.slice(0, DISTINCT_VALUES_MIN),
      }
    }
  }
  return undefined
}

/** One value for each set of holders that share none of this type with another set. */
function distinctValues(type: IdentifierType, holders: readonly MatchRecord[]): string[] {
  let sets: string[][] = []
  for (const holder of holders) {
    const own = periodsOfType(holder, type).map((period) => period.value)
    if (own.length === 0) continue
    const met = sets.filter((set) => set.some((value) => own.includes(value)))
    sets = [...sets.filter((set) => !met.includes(set)), [...new Set([...met.flat(), ...own])]]
  }
  return sets.map((set) => set.sort()[0] ?? '').sort()
}

function liveAgents(type: IdentifierType, holders: readonly MatchRecord[]): SharedReason | undefined {
  if (type === 'agent_key') return undefined
  const agents = holders.map((holder) => periodsOfType(holder, 'agent_key')).filter((keys) => keys.length > 0)
  const found = new Set<string>()
  agents.forEach((mine, index) => {
    for (const theirs of agents.slice(index + 1)) {
      const veto = bothLive(mine, theirs)
      if (veto) found.add(veto.a).add(veto.b)
    }
  })
  return found.size > 0 ? { because: 'live_agents', values: [...found].sort().slice(0, 2) } : undefined
}

/** A serial that a maker left on many boards, or that stands for the enclosure of several machines. */
function toldOfMany(type: IdentifierType, holders: readonly MatchRecord[]): SharedReason | undefined {
  if (type !== 'serial' || holders.length < DISTINCT_VALUES_MIN) return undefined
  for (const told of Map.groupBy(holders, sourceOf).values()) {
    const several: MatchRecord[] = []
    for (const holder of told.toSorted((x, y) => (x.key < y.key ? -1 : 1)))
      if (several.every((it) => areToldApart(it, holder) && areElsewhere(it, holder))) several.push(holder)
    if (several.length < DISTINCT_VALUES_MIN) continue
    const names = several.flatMap((it) => periodsOfType(it, 'hostname')[0]?.value ?? [])
    return { because: 'told_of_many', values: names.toSorted().slice(0, DISTINCT_VALUES_MIN) }
  }
  return undefined
}
