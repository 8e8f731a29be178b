import type { IdentifierType } from '../observation.ts'
import {
  oneHolder,
  overlap,
  periodsOfType,
  valueKey,
  type SharedValues,
  type MatchRecord,
  type IdentifierPeriod,
} from './match-record.ts'

/** Why two observations are not of one asset, whatever their score. */
export interface Veto {
  readonly because: 'different_values' | 'both_live' | 'apart'
  readonly type: IdentifierType
  readonly a: string
  readonly b: string
}

/** A machine has one of these, so different values mean different machines. */
const uniqueTypes = ['serial', 'cloud_id', 'smbios_uuid'] as const
type UniqueType = (typeof uniqueTypes)[number]

/** The values by which an observation, or a must-linked group, vetoes a link. */
export interface VetoValues {
  readonly makers: ReadonlySet<string>
  readonly unique: Readonly<Record<UniqueType, readonly IdentifierPeriod[]>>
  readonly agents: readonly IdentifierPeriod[]
}

/** Maps values that a person declared to be of the same machine to one representative. */
export type SameAs = (type: IdentifierType, value: string) => string

/** Shared values of the tenant are left out. */
export function vetoValuesOf(group: readonly MatchRecord[], shared: SharedValues): VetoValues {
  const all = (type: IdentifierType) =>
    group
      .flatMap((record) => periodsOfType(record, type))
      .filter((period) => !shared.has(valueKey(period.type, period.value)))
  const values = (type: IdentifierType) => all(type).sort((x, y) => (x.value < y.value ? -1 : 1))
  return {
    makers: new Set(group.map((record) => record.maker).filter((maker) => maker !== undefined)),
    unique: { serial: values('serial'), cloud_id: values('cloud_id'), smbios_uuid: values('smbios_uuid') },
    agents: all('agent_key'),
  }
}

/**
 * If a must-link joins observations with different serials, these serials are of one machine, and other observations
 * with either may belong to it. `groups` are the must-linked groups.
 */
export function declaredSame(groups: readonly (readonly MatchRecord[])[]): SameAs {
  const first = new Map<string, string>()
  const sameAs: SameAs = (type, value) => {
    const known = first.get(valueKey(type, value))
    return known === undefined || known === value ? value : sameAs(type, known)
  }
  for (const type of [...uniqueTypes, 'agent_key'] as const) {
    for (const group of groups) {
      const values = group
        .flatMap((record) => periodsOfType(record, type))
        .map((period) => sameAs(type, period.value))
      const least = values.toSorted()[0]
      for (const value of values) if (least !== undefined) first.set(valueKey(type, value), least)
    }
  }
  return sameAs
}

const itself: SameAs = (_, value) => value

export function vetoBetween(a: VetoValues, b: VetoValues, sameAs: SameAs = itself): Veto | undefined {
  for (const type of uniqueTypes) {
    const veto = differentValues(type, [a, b], sameAs)
    if (veto) return veto
  }
  return bothLive(a.agents, b.agents, sameAs)
}

function differentValues(
  type: UniqueType,
  [a, b]: readonly [VetoValues, VetoValues],
  sameAs: SameAs,
): Veto | undefined {
  if (type === 'serial' && differentMakers(a, b)) return undefined
  const [mine, theirs] = stillOwn(a.unique[type], b.unique[type])
  const same = mine.some((one) =>
    theirs.some((other) => sameAs(type, one.value) === sameAs(type, other.value)),
  )
  if (same) return undefined
  const [own, other] = type === 'cloud_id' ? firstOfOneCloud(mine, theirs) : [mine[0], theirs[0]]
  return own && other
    ? { because: 'different_values', type, a: sameAs(type, own.value), b: sameAs(type, other.value) }
    : undefined
}

type Periods = readonly IdentifierPeriod[]

/** Without values that one source stopped to report and the other reports after that. */
function stillOwn(mine: Periods, theirs: Periods): readonly [Periods, Periods] {
  const isKept = (others: Periods) => (one: IdentifierPeriod) =>
    !one.ended || others.every((other) => other.value !== one.value || oneHolder(one, other))
  return [mine.filter(isKept(theirs)), theirs.filter(isKept(mine))]
}

/** A part of one maker in a machine of another has its own serial. */
function differentMakers(a: VetoValues, b: VetoValues): boolean {
  return a.makers.size > 0 && b.makers.size > 0 && [...a.makers].every((maker) => !b.makers.has(maker))
}

/** A guest of a hypervisor may be registered with a cloud too: only ids of one provider contradict each other. */
function firstOfOneCloud(
  mine: Periods,
  theirs: Periods,
): readonly [IdentifierPeriod | undefined, IdentifierPeriod | undefined] {
  const clouds = new Set(mine.map(({ value }) => cloudOf(value)))
  const other = theirs.find(({ value }) => clouds.has(cloudOf(value)))
  return [other && mine.find(({ value }) => cloudOf(value) === cloudOf(other.value)), other]
}

const cloudOf = (id: string): string => id.split(/[:/]/, 1)[0] ?? id

/** Two agents that report in overlapping periods run on two machines; otherwise one key replaced the other. */
export function bothLive(
  mine: readonly IdentifierPeriod[],
  theirs: readonly IdentifierPeriod[],
  sameAs: SameAs = itself,
): Veto | undefined {
  const known = new Set(mine.map(({ type, value }) => sameAs(type, value)))
  if (theirs.some(({ type, value }) => known.has(sameAs(type, value)))) return undefined
  for (const agent of mine) {
    const other = theirs.find((candidate) => overlap(agent, candidate))
    if (other) return { because: 'both_live', type: 'agent_key', a: agent.value, b: other.value }
  }
  return undefined
}
