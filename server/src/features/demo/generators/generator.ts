import type { Identifier, IdentifierType, Observation } from '#features/assets/observation.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { SourceName } from '../sources.ts'

/** A kind of thing in the estate. Its sightings come from several sources, and all of one number are one asset. */
export interface AssetGenerator {
  /** Names the stream of draws; unique. */
  readonly name: string
  /** How many of a thousand assets are of this part, roughly. */
  readonly share: number
  readonly generate: (number: number, estate: Estate, random: SeededRandom) => readonly SourcedObservation[]
}

export interface Estate {
  readonly seed: number
  /** How many assets there are in all. */
  readonly size: number
  /** Midnight (UTC) of the day on which all this is seen. */
  readonly day: Date
  /** How many things the part of this name has; at least 1, so that others can refer to one. */
  readonly count: (generatorName: string) => number
}

export interface SourcedObservation {
  readonly by: SourceName
  readonly observation: Observation
}

/** What an observation says, with its identifiers by type; what is undefined is left out. */
export interface ObservationFields extends Partial<
  Omit<Observation, 'identifiers' | 'seenAt' | 'sourceKey'>
> {
  readonly ids: Readonly<Partial<Record<IdentifierType, string | readonly string[] | undefined>>>
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const QUIET_PERCENT = 3
const QUIET_DAYS = 60

/** Sightings of one thing at one time: all sources look within the same minutes, at a few things weeks ago. */
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
