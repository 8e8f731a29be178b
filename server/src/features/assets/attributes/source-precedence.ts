import type { DeviceType } from '#features/recognition/recognition.ts'
import type { AssetType } from '../observation.ts'

/** The attribute values that one source, or a person, gives for an asset. */
export interface Statement {
  readonly observationId: string | undefined
  /** `sweep`, `ssh`, `csv` and so on; `manual` for a person. */
  readonly sourceKind: string
  readonly sourceName: string
  readonly sourceKey: string
  readonly seenAt: number
  /** Locked by a person. */
  readonly locked?: boolean
  readonly values: Attributes
}

/** An absent value was not collected. */
export interface Attributes {
  readonly name?: string
  readonly assetType?: AssetType
  /** What the device is for: said by people alone, sources give signals. */
  readonly deviceType?: DeviceType
  readonly os?: string
  readonly vendor?: string
  readonly model?: string
  readonly hostname?: string
  readonly ipAddress?: string
  readonly macAddress?: string
  readonly serial?: string
}

export const attributeNames = [
  'name',
  'assetType',
  'deviceType',
  'os',
  'vendor',
  'model',
  'hostname',
  'ipAddress',
  'macAddress',
  'serial',
] as const satisfies readonly (keyof Attributes)[]
export type AttributeName = (typeof attributeNames)[number]

export interface Resolved {
  readonly values: Attributes
  /** Every candidate value, the winner first. */
  readonly offers: Readonly<Record<AttributeName, readonly Statement[]>>
  /** An unchanged repeat could change which value wins. */
  readonly dependsOnTime: boolean
}

/** Which value wins, for each attribute by itself: the higher rank of the source, then the newer report. */
export function resolve(statements: readonly Statement[]): Resolved {
  const newest = Math.max(...statements.map((statement) => statement.seenAt))
  const ranked = statements
    .map((statement) => ({ statement, rank: rankOf(statement, newest) }))
    .sort(
      (x, y) =>
        y.rank - x.rank || y.statement.seenAt - x.statement.seenAt || tieBreak(x.statement, y.statement),
    )
  const values: Record<string, string> = {}
  const offers: Record<string, readonly Statement[]> = {}
  let dependsOnTime = false
  for (const name of attributeNames) {
    const offered = ranked.filter(({ statement }) => statement.values[name] !== undefined)
    offers[name] = offered.map(({ statement }) => statement)
    const winner = offered[0]
    if (!winner) continue
    values[name] = winner.statement.values[name] ?? ''
    dependsOnTime ||= offered.some(
      ({ statement, rank }) => statement.values[name] !== values[name] && winner.rank - rank <= 1,
    )
  }
  return { values, offers: offers as Resolved['offers'], dependsOnTime }
}

/**
 * Precedence of source kinds, the highest wins: lists, network discovery, directories, device protocols, hypervisors
 * and clouds, logins and agents, people. Kinds that are not named rank like `import`.
 */
const ranks: Readonly<Record<string, number>> = {
  // lists maintained by people
  import: 0,
  csv: 0,
  // network discovery without a login
  sweep: 1,
  'nmap-xml': 1,
  passive: 2,
  // written when the machine joined, rarely updated
  directory: 2,
  // reported by the device over the network
  snmp: 3,
  // hypervisors, clouds and subscriptions
  hypervisor: 4,
  vmware: 4,
  cloud: 4,
  saas: 4,
  software: 4,
  // read on the machine: at times, or continuously
  mdm: 5,
  ssh: 5,
  wmi: 5,
  agent: 6,
  glpi: 6,
  fusioninventory: 6,
  ocs: 6,
  osquery: 6,
  manual: 8,
}
const LIST_RANK = 0
const rankOfKind = (kind: string): number => ranks[kind] ?? LIST_RANK

/** A list written by people: its names count even if they repeat the host name. */
export const isList = (sourceKind: string): boolean => rankOfKind(sourceKind) === LIST_RANK

const LOCKED_RANK = 10
/** The interval at which a kind of source reports, where known. */
const cadencesMs: Readonly<Record<string, number>> = {
  agent: 15 * 60_000,
  osquery: 60 * 60_000,
  glpi: 24 * 60 * 60_000,
  fusioninventory: 24 * 60 * 60_000,
  ocs: 24 * 60 * 60_000,
}
const CADENCES_UNTIL_STALE = 3

const DAY_MS = 24 * 60 * 60_000
const STALE_DAYS_UNKNOWN_CADENCE = 30
/** A machine that is switched off over a weekend is not stale, however often its agent reports. */
export const STALE_DAYS_MIN = 3
const PEOPLE: ReadonlySet<string> = new Set(['manual'])

/**
 * After how many days without a sighting an asset with these kinds of sources is stale: three times the cadence of the
 * best of them, at least 3 days; 30 where its cadence is not known. Null: never, since people alone recorded it.
 */
export function staleAfterDaysOf(sourceKinds: readonly string[]): number | null {
  const reporting = sourceKinds.filter((kind) => !PEOPLE.has(kind))
  if (reporting.length === 0) return null
  const best = Math.max(...reporting.map(rankOfKind))
  return Math.max(...reporting.filter((kind) => rankOfKind(kind) === best).map(staleDaysOfKind))
}

function staleDaysOfKind(kind: string): number {
  const cadence = cadencesMs[kind]
  if (cadence === undefined) return STALE_DAYS_UNKNOWN_CADENCE
  return Math.max(STALE_DAYS_MIN, Math.ceil((CADENCES_UNTIL_STALE * cadence) / DAY_MS))
}

/** Staleness is relative to the asset's newest report, not to the clock, so that the result is deterministic. */
function rankOf({ locked, sourceKind, seenAt }: Statement, newest: number): number {
  if (locked) return LOCKED_RANK
  const cadence = cadencesMs[sourceKind]
  const stale = cadence !== undefined && newest - seenAt > CADENCES_UNTIL_STALE * cadence
  return rankOfKind(sourceKind) - (stale ? 1 : 0)
}

function tieBreak(x: Statement, y: Statement): number {
  const [a, b] = [x, y].map((each) => `${each.sourceKind} ${each.sourceName} ${each.sourceKey}`)
  return (a ?? '') < (b ?? '') ? -1 : 1
}
