import { isRoaming, isTellingSerial, type Evidence } from './evidence.ts'
import type { Group } from './evidence-weights.ts'
import { bareName, isContainerMac, macClass, type MacClass } from './identifiers.ts'
import {
  areInTwoNetworks,
  atOnce,
  oneHolder,
  periodsOfType,
  sameDay,
  sourceOf,
  type MatchRecord,
  type SharedValues,
} from './match-record.ts'
import type { IdentifierType } from '../observation.ts'
import type { Veto } from './vetoes.ts'

/**
 * Two observations that are there at the same time, with other MAC addresses and other addresses, may be two machines
 * whatever else they share: images, templates and configurations are copied with UUIDs, machine ids and host keys in them.
 * Only a serial or a cloud id says that it is one machine, or an observation that has network cards of both. A serial does
 * not where two systems run: containers show the one of their host. Nor does it where one source tells of two at once,
 * under other names; there it takes no network cards to doubt it.
 */
export function machinesApart(
  a: readonly MatchRecord[],
  b: readonly MatchRecord[],
  shared: SharedValues,
): Veto | undefined {
  const proof = { hardware: undefined as boolean | undefined, cloud: undefined as boolean | undefined }
  const together = [...a, ...b]
  for (const one of a) {
    for (const other of b) {
      const isTold = areToldApart(one, other)
      const veto = apart(one, other, isTold)
      if (!veto || isWitnessed(one, other, together)) continue
      const isProven =
        isTold || areTwoSystems(one, other)
          ? (proof.cloud ??= sameHardware(a, b, shared, ofCloud))
          : (proof.hardware ??= sameHardware(a, b, shared, ofHardware))
      if (!isProven) return veto
    }
  }
  return undefined
}

const ofCloud: ReadonlySet<IdentifierType> = new Set<IdentifierType>(['cloud_id'])
const ofHardware: ReadonlySet<IdentifierType> = new Set<IdentifierType>(['cloud_id', 'serial'])

/** Whether one source told of both at once, as of two with other names. */
export const areToldApart = (one: MatchRecord, other: MatchRecord): boolean =>
  areNamedApart(one, other) &&
  periodsOfType(one, 'hostname').some((name) =>
    periodsOfType(other, 'hostname').some((their) => atOnce(name, their)),
  )

/** Whether one source told of both, at whatever time, under other names. */
function areNamedApart(one: MatchRecord, other: MatchRecord): boolean {
  if (sourceOf(one) !== sourceOf(other)) return false
  const [mine, theirs] = [one, other].map((it) =>
    periodsOfType(it, 'hostname').map(({ value }) => bareName(value)),
  )
  return areDisjoint(mine, theirs)
}

const areDisjoint = (mine: readonly string[] = [], theirs: readonly string[] = []): boolean =>
  mine.length > 0 && theirs.length > 0 && !mine.some((value) => theirs.includes(value))

/**
 * Whether two systems ran on one day: each tells a machine id of its own, or one has network cards of a guest alone where
 * the other has those of a machine.
 */
function areTwoSystems(one: MatchRecord, other: MatchRecord): boolean {
  const [mine, theirs] = [periodsOfType(one, 'machine_id'), periodsOfType(other, 'machine_id')]
  const isSameDay = mine.some((id) => theirs.some((their) => sameDay(id, their)))
  if (isSameDay && haveOtherMachineIds(one, other)) return true
  const [cards, others] = [macClassesOf(one), macClassesOf(other)]
  return (isOfGuest(cards) && others.has('universal')) || (isOfGuest(others) && cards.has('universal'))
}

const haveOtherMachineIds = (one: MatchRecord, other: MatchRecord): boolean =>
  areDisjoint(
    periodsOfType(one, 'machine_id').map(({ value }) => value),
    periodsOfType(other, 'machine_id').map(({ value }) => value),
  )

const macClassesOf = (record: MatchRecord): ReadonlySet<MacClass> =>
  new Set(
    periodsOfType(record, 'mac').map(({ value }) => (isContainerMac(value) ? 'hypervisor' : macClass(value))),
  )

const isOfGuest = (classes: ReadonlySet<MacClass>): boolean => classes.size === 1 && classes.has('hypervisor')

/**
 * What an image carries along, a machine id or a host key, shows little where the two have other addresses at the same
 * time and nobody saw the network cards of both.
 */
export function addressesApart(
  a: MatchRecord,
  b: MatchRecord,
  { reasons }: Pick<Evidence, 'reasons'>,
): Veto | undefined {
  if (reasons.some(({ group }) => !copiedGroups.has(group))) return undefined
  if (!areInTwoNetworks(a, b) && haveInCommon(a, b, 'ip')) return undefined
  return bothThere(a, b, 'ip')
}

const copiedGroups: ReadonlySet<Group> = new Set<Group>(['os', 'name', 'addr'])

function apart(one: MatchRecord, other: MatchRecord, isTold: boolean): Veto | undefined {
  if (haveBoth(one, other, 'mac')) return areElsewhere(one, other) ? bothThere(one, other, 'mac') : undefined
  return isTold && areElsewhere(one, other) ? bothThere(one, other, 'hostname') : undefined
}

/** Whether they have other MAC addresses and other addresses, at whatever time. */
export function areElsewhere(one: MatchRecord, other: MatchRecord): boolean {
  if (areInTwoNetworks(one, other)) return true
  if (haveInCommon(one, other, 'mac')) return false
  return one.scope !== other.scope || !haveInCommon(one, other, 'ip')
}

/** Whether the two will seem apart once both were seen at the same time. */
export function mayTurnOutApart(one: MatchRecord, other: MatchRecord): boolean {
  if (!areElsewhere(one, other)) return false
  const type = (['mac', 'ip'] as const).find((it) => haveBoth(one, other, it))
  if (type !== undefined && bothThere(one, other, type) === undefined) return true
  return (areNamedApart(one, other) && !areToldApart(one, other)) || haveOtherMachineIds(one, other)
}

const haveBoth = (one: MatchRecord, other: MatchRecord, type: 'mac' | 'ip'): boolean =>
  periodsOfType(one, type).length > 0 && periodsOfType(other, type).length > 0

/** The first of their values that were reported within a day of each other; of phones, at once. */
function bothThere(one: MatchRecord, other: MatchRecord, type: 'mac' | 'ip' | 'hostname'): Veto | undefined {
  const theirs = periodsOfType(other, type)
  const isTogether = isRoaming(one) && isRoaming(other) ? atOnce : sameDay
  for (const mine of periodsOfType(one, type)) {
    const their = theirs.find((candidate) => isTogether(mine, candidate))
    if (their) return { because: 'apart', type, a: mine.value, b: their.value }
  }
  return undefined
}

/** Whether a third observation has a network card of each. The same card in two networks is two cards. */
const isWitnessed = (one: MatchRecord, other: MatchRecord, members: readonly MatchRecord[]): boolean =>
  !(areInTwoNetworks(one, other) && haveInCommon(one, other, 'mac')) &&
  members.some(
    (witness) =>
      witness !== one &&
      witness !== other &&
      haveInCommon(witness, one, 'mac') &&
      haveInCommon(witness, other, 'mac'),
  )

function sameHardware(
  a: readonly MatchRecord[],
  b: readonly MatchRecord[],
  shared: SharedValues,
  types: ReadonlySet<IdentifierType>,
): boolean {
  return a.some((one) => b.some((other) => haveSameHardware(one, other, shared, types)))
}

function haveSameHardware(
  one: MatchRecord,
  other: MatchRecord,
  shared: SharedValues,
  types: ReadonlySet<IdentifierType>,
): boolean {
  for (const [key, period] of one.identifierPeriods) {
    const { type, value } = period
    if (!types.has(type) || shared.has(key)) continue
    const same = other.identifierPeriods.get(key)
    if (!same || !oneHolder(period, same)) continue
    if (type === 'cloud_id' || isTellingSerial(one, other, value)) return true
  }
  return false
}

function haveInCommon(one: MatchRecord, other: MatchRecord, wanted: IdentifierType): boolean {
  const [few, many] = one.identifierPeriods.size <= other.identifierPeriods.size ? [one, other] : [other, one]
  for (const [key, period] of few.identifierPeriods) {
    if (period.type !== wanted) continue
    const same = many.identifierPeriods.get(key)
    if (same && oneHolder(period, same)) return true
  }
  return false
}
