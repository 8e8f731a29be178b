import { candidatePair, cluster } from '#features/assets/identity/identity.ts'
import type { MatchRecord } from '#features/assets/identity/match-record.ts'
import { allShared } from '#features/assets/identity/shared-identifier-values.ts'
import { isOfAnother, mergeIntoHolders } from '#features/assets/intake/address-holders.ts'
import { mergeReport, newRecord, validObservation } from '#features/assets/intake/merge-observations.ts'
import { matchRecordOf, type ObservationRecord } from '#features/assets/intake/observation-record.ts'
import type { IdentifierType, Observation } from '#features/assets/observation.ts'
import type { Scene, Seen } from './scenes.ts'

const START = Date.parse('2026-01-05T08:00:00Z')
const DAY_MS = 86_400_000

/** What became of the machines of a scene. */
export interface Outcome {
  /** Two machines are one asset. */
  readonly isMixed: boolean
  /** One machine is several assets, and nobody is asked whether they are one. */
  readonly isSplit: boolean
  /** The observations of each asset, for comparison. */
  readonly assets: readonly string[]
}

/** Plays the reports in this order, by the rules of the intake and without a database. */
export function play(seen: readonly Seen[]): Outcome {
  const machineOf = new Map<string, Set<string>>()
  const records = recordsOf(seen, machineOf)
  const matchRecords = records.map((each) => matchRecordOf(each))
  const shared = new Set(allShared(matchRecords).keys())
  const clusters = cluster({ matchRecords, constraints: [], shared })
  const machinesIn = (members: readonly MatchRecord[]) =>
    new Set(members.flatMap(({ id }) => [...(machineOf.get(id) ?? [])]))
  return {
    isMixed: clusters.some(({ members }) => machinesIn(members).size > 1),
    isSplit: clusters.some(({ members: mine }, index) =>
      clusters.slice(index + 1).some(({ members: theirs }) => {
        const others = machinesIn(theirs)
        if (![...machinesIn(mine)].some((machine) => others.has(machine))) return false
        return !mine.some((a) => theirs.some((b) => candidatePair(a, b, shared)))
      }),
    ),
    assets: clusters.map(({ members }) => members.map(({ key }) => key).join(' ')),
  }
}

function recordsOf(seen: readonly Seen[], machineOf: Map<string, Set<string>>): ObservationRecord[] {
  const holdersByKey = new Map<string, ObservationRecord[]>()
  let made = 0
  seen.forEach((each, index) => {
    const place = [each.kind, each.scope, each.key].join(' ')
    const report = validObservation(observationOf(each), index)
    const newId = () => `${place} ${made++}`
    const holders = holdersByKey.get(place) ?? []
    const [latest] = holders
    const after = !latest
      ? [
          {
            ...newRecord(report, { id: each.kind, kind: each.kind, name: each.kind }, newId()),
            scope: each.scope ?? 'default',
          },
        ]
      : holders.length > 1 || isOfAnother(latest, report)
        ? mergeIntoHolders(holders, report, newId)
        : [mergeReport(latest, report)]
    for (const record of after)
      if (!holders.includes(record))
        machineOf.set(record.id, (machineOf.get(record.id) ?? new Set()).add(each.machine))
    holdersByKey.set(place, after)
  })
  return [...holdersByKey.values()].flat()
}

function observationOf({ key, day, tells, vendor }: Seen): Observation {
  const identifiers = Object.entries(tells).flatMap(([type, given]) =>
    [given].flat().map((value) => ({ type: type as IdentifierType, value })),
  )
  return { sourceKey: key, seenAt: new Date(START + day * DAY_MS), identifiers, ...(vendor && { vendor }) }
}

export interface ScenesResult {
  readonly scenes: number
  /** Played forward and backward: no two machines are one, and each machine is one asset, or somebody is asked. */
  readonly right: number
  readonly mixed: number
  readonly split: number
}

export function playAll(scenes: readonly Scene[]): ScenesResult {
  const outcomes = scenes.map(({ seen }) => [play(seen), play(seen.toReversed())])
  const count = (wanted: (outcome: Outcome) => boolean) => outcomes.filter((both) => both.some(wanted)).length
  const wrong = count(({ isMixed, isSplit }) => isMixed || isSplit)
  return {
    scenes: scenes.length,
    right: scenes.length - wrong,
    mixed: count(({ isMixed }) => isMixed),
    split: count(({ isSplit }) => isSplit),
  }
}
