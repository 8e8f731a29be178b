import { bareName, macClass, nameClass } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'
import {
  overlap,
  periodsOfType,
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
  SERIAL_WEIGHT,
  weightOf,
  type Group,
} from './evidence-weights.ts'

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
    if (same && !shared.has(key)) offer(period.type, period.value, weightBetween(few, many, [period, same]))
  }
  for (const [name, weight] of namesInCommon(few, many, shared)) offer('hostname', name, weight)
  for (const [name, weight] of namesOfAddresses(few, many, shared)) offer('ptr_name', name, weight)
  const reasons = [...best.values()].sort((x, y) => y.weight - x.weight || (x.type < y.type ? -1 : 1))
  return { score: noisyOr(reasons.map((reason) => reason.weight)), reasons }
}

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
  if (type === 'serial') return serialWeight(a, b)
  if (type === 'mac' && macClass(value) === 'hypervisor' && a.scope !== b.scope) return 0
  return weightOf(type, value)
}

function addressWeight(
  a: MatchRecord,
  b: MatchRecord,
  [mine, theirs]: readonly [IdentifierPeriod, IdentifierPeriod],
): number {
  if (a.scope !== b.scope) return 0
  if (overlap(mine, theirs)) return ADDRESS_WEIGHT.overlap
  return mine.static || theirs.static ? ADDRESS_WEIGHT.static : ADDRESS_WEIGHT.apart
}

/** Serials are unique per maker only. */
function serialWeight(a: MatchRecord, b: MatchRecord): number {
  if (!a.maker || !b.maker) return SERIAL_WEIGHT.makerUnknown
  return a.maker === b.maker ? SERIAL_WEIGHT.sameMaker : 0
}

/** A bare name agrees with a full name of the same first part; two full names agree only when equal. */
function namesInCommon(a: MatchRecord, b: MatchRecord, shared: SharedValues): [string, number][] {
  const theirs = namesOf(b, 'hostname', shared)
  return namesOf(a, 'hostname', shared)
    .filter((mine) => theirs.some((their) => isBareOf(mine, their) || isBareOf(their, mine)))
    .map((mine) => [bareName(mine), bareWeight(mine)])
}

/** The PTR name of one is the host name of the other. */
function namesOfAddresses(a: MatchRecord, b: MatchRecord, shared: SharedValues): [string, number][] {
  return [[a, b] as const, [b, a] as const].flatMap(([one, other]) => {
    const inDns = namesOf(one, 'ptr_name', shared)
    if (inDns.length === 0) return []
    return namesOf(other, 'hostname', shared)
      .filter((own) => inDns.some((name) => name === own || isBareOf(name, own) || isBareOf(own, name)))
      .map((own): [string, number] => [own, bareWeight(own)])
  })
}

const namesOf = (record: MatchRecord, type: 'hostname' | 'ptr_name', shared: SharedValues): string[] =>
  periodsOfType(record, type).flatMap(({ value }) => (shared.has(valueKey('hostname', value)) ? [] : [value]))

const bareWeight = (name: string): number =>
  nameClass(name) === 'generic' ? GENERIC_NAME_WEIGHT : BARE_NAME_WEIGHT

const isBareOf = (bare: string, name: string): boolean => bareName(name) === bare
