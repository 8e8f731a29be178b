import type { Identifier, IdentifierType, Observation } from '#features/assets/observation.ts'
import type { RecordChange } from '#features/records/values/asset-record.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { SourceName } from '../sources.ts'

/** Generates one kind of asset. All observations of one number are of one asset, from several sources. */
export interface AssetGenerator {
  /** Unique; part of the seed of its random numbers. */
  readonly name: string
  /** Share of all assets, in thousandths (approximately). */
  readonly share: number
  readonly generate: (number: number, estate: Estate, random: SeededRandom) => readonly SourcedObservation[]
}

export interface Estate {
  readonly seed: number
  /** Number of assets in all. */
  readonly size: number
  /** Midnight (UTC) of the day of the observations. */
  readonly day: Date
  /** Number of assets of the named generator; at least 1, so that other assets can refer to one. */
  readonly count: (generatorName: string) => number
}

export interface SourcedObservation {
  readonly by: SourceName
  readonly observation: Observation
  readonly recorded?: RecordChange & { readonly place?: string }
}

/** Fields of an observation, with the identifiers by type; undefined values are omitted. */
export interface ObservationFields extends Partial<
  Omit<Observation, 'identifiers' | 'seenAt' | 'sourceKey'>
> {
  readonly ids: Readonly<Partial<Record<IdentifierType, string | readonly string[] | undefined>>>
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const QUIET_PERCENT = 3
const QUIET_DAYS = 60

/**
 * Returns a function that makes observations of one asset: all sources at the same time, for a few assets weeks ago.
 */
export function observer(
  estate: Estate,
  random: SeededRandom,
): (by: SourceName, key: string, fields: ObservationFields) => SourcedObservation {
  const daysAgo = random.percent(QUIET_PERCENT) ? 14 + random.below(QUIET_DAYS) : 0
  const seenAt = new Date(estate.day.getTime() - daysAgo * DAY_MS - random.below(10) * MINUTE_MS)
  return (by, sourceKey, { ids, ...fields }) => ({
    by,
    observation: { sourceKey, seenAt, identifiers: identifiersOf(ids), ...fields },
  })
}

function identifiersOf(ids: ObservationFields['ids']): Identifier[] {
  return Object.entries(ids).flatMap(([type, values]) =>
    [values ?? []].flat().map((value) => ({ type: type as IdentifierType, value })),
  )
}
