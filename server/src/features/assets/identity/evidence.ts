import { bareName, isContainerMac, macClass, nameClass } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'
import {
  areInTwoNetworks,
  atOnce,
  oneHolder,
  overlap,
  periodsOfType,
  sourceOf,
  valueKey,
  type SharedValues,
  type MatchRecord,
  type IdentifierPeriod,
} from './match-record.ts'
import {
  ADDRESS_WEIGHT,
  BARE_NAME_WEIGHT,
  GENERIC_NAME_WEIGHT,
  groupOf,
  KNOWN_MAC_WEIGHT,
  ONLY_MAC_WEIGHT,
  REMEMBERED_NAME_WEIGHT,
  ROAMING_NAME_WEIGHT,
  SERIAL_WEIGHT,
  weightOf,
  type Group,
} from './evidence-weights.ts'
import { isPlainSerial } from './plain-serials.ts'

/** The score, 0 to 1, that two observations are of one asset, with the best reason of each group. */
export interface Evidence {
  readonly score: number
  readonly reasons: readonly Reason[]
}

export interface Reason {
  readonly group: Group
  readonly type: IdentifierType
  readonly value: string
  readonly weight: number
  /** Of the name of two phones with random MAC addresses: people may say that all phones of this name are one. */
  readonly canBeRemembered?: boolean
}

/** Scores a pair. The groups are combined by noisy-or, as independent probabilities. */
export function evidence(a: MatchRecord, b: MatchRecord, shared: SharedValues): Evidence {
  const best = new Map<Group, Reason>()
  const offer = (type: IdentifierType, value: string, weight: number) => {
    const group = groupOf[type]
    if (weight > (best.get(group)?.weight ?? 0)) best.set(group, { group, type, value, weight })
  }
  const [few, many] = a.identifierPeriods.size <= b.identifierPeriods.size ? [a, b] : [b, a]
  for (const [key, period] of few.identifierPeriods) {
    const same = many.identifierPeriods.get(key)
    if (same && !shared.has(key) && oneHolder(period, same))
      offer(period.type, period.value, weightBetween(few, many, [period, same]))
  }
  for (const [name, weight] of namesInCommon(few, many, shared)) offer('hostname', name, weight)
  markRoaming(best, a, b)
  for (const [name, weight] of namesOfAddresses(few, many, shared)) offer('ptr_name', name, weight)
  addPlace(best, a, b)
  const reasons = [...best.values()].sort((x, y) => y.weight - x.weight || (x.type < y.type ? -1 : 1))
  return { score: noisyOr(reasons.map((reason) => reason.weight)), reasons }
}

function markRoaming(best: Map<Group, Reason>, a: MatchRecord, b: MatchRecord): void {
  const name = best.get('name')
  if (name?.type === 'hostname' && roamingWeight(a, b, [name.value, false]) > 0)
    best.set('name', { ...name, value: bareName(name.value), canBeRemembered: true })
}

/**
 * The same network card at the same address is the same machine whatever the time between, unless Docker made the one of
 * the other: then every host has that pair. One name at one address, said
 * by one source of two observations, is a machine that was installed again, or its successor.
 */
function addPlace(best: Map<Group, Reason>, a: MatchRecord, b: MatchRecord): void {
  const [card, address, name] = [best.get('net'), best.get('addr'), best.get('name')]
  if (address?.type !== 'ip') return
  if (card?.type === 'mac' && !isContainerMac(card.value)) {
    best.set('addr', { ...address, weight: ADDRESS_WEIGHT.overlap })
    best.set('net', { ...card, weight: Math.max(card.weight, weightAtOneAddress(card.value)) })
  } else if (name && name.weight > GENERIC_NAME_WEIGHT && sourceOf(a) === sourceOf(b)) {
    best.set('addr', { ...address, weight: ADDRESS_WEIGHT.overlap })
  }
}

const weightAtOneAddress = (mac: string): number => (macClass(mac) === 'local' ? KNOWN_MAC_WEIGHT : 0)

/** Rounded, so that 0.9 is 0.9 whatever the order of the factors. */
export function noisyOr(chances: readonly number[]): number {
  const missed = chances.reduce((product, chance) => product * (1 - chance), 1)
  return Math.round((1 - missed) * 1e6) / 1e6
}

function weightBetween(
  a: MatchRecord,
  b: MatchRecord,
  [mine, theirs]: readonly [IdentifierPeriod, IdentifierPeriod],
): number {
  const { type, value } = mine
  if (type === 'ip') return addressWeight(a, b, [mine, theirs])
  if (type === 'serial') return serialWeight(a, b, value)
  if (type === 'mac') return macWeight(a, b, value)
  // most makers put the MAC address in it, which is unique in its network only
  if (type === 'chassis_id' && a.scope !== b.scope) return 0
  return weightOf(type, value)
}

function macWeight(a: MatchRecord, b: MatchRecord, mac: string): number {
  if (areInTwoNetworks(a, b)) return 0
  if (a.scope !== b.scope) return macClass(mac) === 'local' ? 0 : weightOf('mac', mac)
  const isOwn = [a, b].some((record) => periodsOfType(record, 'agent_key').length > 0)
  if (macClass(mac) !== 'local' || isContainerMac(mac)) return weightOf('mac', mac)
  if (isOwn) return KNOWN_MAC_WEIGHT
  if (hasOnlyCard(a) && hasOnlyCard(b)) return ONLY_MAC_WEIGHT
  return weightOf('mac', mac)
}

/** A scan saw this one card of it in its network, not a source on the machine that lists virtual ones as well. */
const hasOnlyCard = (record: MatchRecord): boolean =>
  isRoaming(record) && !record.isAnywhere && periodsOfType(record, 'mac').length === 1

function addressWeight(
  a: MatchRecord,
  b: MatchRecord,
  [mine, theirs]: readonly [IdentifierPeriod, IdentifierPeriod],
): number {
  if (a.scope !== b.scope && (areInTwoNetworks(a, b) || !haveCommonCard(a, b))) return 0
  if (overlap(mine, theirs)) return ADDRESS_WEIGHT.overlap
  return mine.static || theirs.static ? ADDRESS_WEIGHT.static : ADDRESS_WEIGHT.apart
}

/** An address that is of an unknown network counts in another one beside a network card alone. */
const haveCommonCard = (a: MatchRecord, b: MatchRecord): boolean =>
  periodsOfType(a, 'mac').some(({ type, value }) => {
    const same = b.identifierPeriods.get(valueKey(type, value))
    return same !== undefined && macClass(value) !== 'local'
  })

/** Serials are unique per maker only. */
function serialWeight(a: MatchRecord, b: MatchRecord, serial: string): number {
  if (a.maker && b.maker) return a.maker === b.maker ? SERIAL_WEIGHT.sameMaker : 0
  return isPlainSerial(serial) ? SERIAL_WEIGHT.plain : SERIAL_WEIGHT.makerUnknown
}

/** Whether this serial, which both have, is of one machine. */
export const isTellingSerial = (a: MatchRecord, b: MatchRecord, serial: string): boolean =>
  serialWeight(a, b, serial) >= SERIAL_WEIGHT.makerUnknown

/** A bare name agrees with a full name of the same first part; two full names agree only when equal. */
function namesInCommon(a: MatchRecord, b: MatchRecord, shared: SharedValues): [string, number][] {
  const theirs = namesOf(b, 'hostname', shared)
  return namesOf(a, 'hostname', shared).flatMap((mine) => {
    const their = theirs.find((it) => oneHolder(mine, it) && haveOneBareName(mine.value, it.value))
    if (!their) return []
    const isRemembered = mine.isRemembered === true && their.isRemembered === true
    const roaming = roamingWeight(a, b, [mine.value, isRemembered])
    return [[bareName(mine.value), Math.max(bareWeight(mine.value), roaming)]]
  })
}

const haveOneBareName = (mine: string, their: string): boolean =>
  bareName(their) === mine || bareName(mine) === their

/** A phone that takes another random MAC address each week keeps its name. */
function roamingWeight(
  a: MatchRecord,
  b: MatchRecord,
  [name, isRemembered]: readonly [string, boolean],
): number {
  if (a.scope !== b.scope || nameClass(name) === 'generic') return 0
  if (!isRoaming(a) || !isRoaming(b) || areThereAtOnce(a, b)) return 0
  return isRemembered ? REMEMBERED_NAME_WEIGHT : ROAMING_NAME_WEIGHT
}

/** Whether it has random MAC addresses alone, and no identifier but names and addresses. */
export function isRoaming(record: MatchRecord): boolean {
  let hasMac = false
  for (const { type, value } of record.identifierPeriods.values()) {
    if (type === 'mac') hasMac = true
    const isRandom = type === 'mac' && macClass(value) === 'local' && !isContainerMac(value)
    if (!isRandom && groupOf[type] !== 'name' && groupOf[type] !== 'addr') return false
  }
  return hasMac
}

const areThereAtOnce = (a: MatchRecord, b: MatchRecord): boolean =>
  periodsOfType(a, 'mac').some((mine) => periodsOfType(b, 'mac').some((their) => atOnce(mine, their)))

/** The PTR name of one is the host name of the other. */
function namesOfAddresses(a: MatchRecord, b: MatchRecord, shared: SharedValues): [string, number][] {
  return [[a, b] as const, [b, a] as const].flatMap(([one, other]) => {
    const inDns = namesOf(one, 'ptr_name', shared)
    if (inDns.length === 0) return []
    return namesOf(other, 'hostname', shared)
      .filter((own) =>
        inDns.some(
          (name) =>
            oneHolder(name, own) && (name.value === own.value || haveOneBareName(name.value, own.value)),
        ),
      )
      .map(({ value }): [string, number] => [value, bareWeight(value)])
  })
}

const namesOf = (
  record: MatchRecord,
  type: 'hostname' | 'ptr_name',
  shared: SharedValues,
): IdentifierPeriod[] =>
  periodsOfType(record, type).filter(({ value }) => !shared.has(valueKey('hostname', value)))

const bareWeight = (name: string): number =>
  nameClass(name) === 'generic' ? GENERIC_NAME_WEIGHT : BARE_NAME_WEIGHT
