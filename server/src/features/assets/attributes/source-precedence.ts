import type { DeviceType } from '#features/recognition/recognition.ts'
import type { AssetType } from '../observation.ts'

/** What one source says of an asset, or a person. */
export interface Statement {
  readonly observationId: string | undefined
  /** `sweep`, `ssh`, `csv` and so on; `manual` for a person. */
  readonly sourceKind: string
  readonly sourceName: string
  readonly sourceKey: string
  readonly seenAt: number
  /** A person forbade to change it. */
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
  /** Every value offered, the winner first: those that lost stay visible. */
  readonly offers: Readonly<Record<AttributeName, readonly Statement[]>>
  /** A newer sighting with nothing new in it could turn the order of two different values. */
  readonly dependsOnTime: boolean
}

/** Whose value wins, for each attribute by itself: the better source, then the newer sighting. */
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
 * The order of sources, the last the best: who keeps a list, who looks from outside, who manages the thing, who is on
 * it, who decides. Kinds not named rank with `import`.
 */
const ranks: Readonly<Record<string, number>> = {
  // lists that people keep
  import: 0,
  csv: 0,
  // what the network tells of a thing that does not know it is asked
  sweep: 1,
  'nmap-xml': 1,
  passive: 2,
  // an entry that the thing made when it joined, and seldom after
  directory: 2,
  // what the thing answers
  snmp: 3,
  // those on whom the thing runs, or who sold it by the month
  hypervisor: 4,
  vmware: 4,
  cloud: 4,
  saas: 4,
  software: 4,
  // from on the thing itself: now and then, or all the time
  mdm: 5,
  ssh: 5,
  wmi: 5,
  agent: 6,
  manual: 8,
}
const LIST_RANK = 0
const rankOfKind = (kind: string): number => ranks[kind] ?? LIST_RANK

/** People wrote it: what stands there as a name is one, even if it is the host name again. */
export const isList = (sourceKind: string): boolean => rankOfKind(sourceKind) === LIST_RANK

const LOCKED_RANK = 10
/** How often a kind of source reports when all is well, where that is known. */
const cadencesMs: Readonly<Record<string, number>> = { agent: 15 * 60_000 }
const CADENCES_UNTIL_STALE = 3

/** Stale is measured against the newest sighting of the asset, not the clock, so that the same facts give the same answer. */
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
