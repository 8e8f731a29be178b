import { seededRandom } from './seeded-random.ts'
import { recordedOf } from './recorded-values.ts'
import { observedFacts } from './observed-facts.ts'
import { installedSoftware } from './installed-software.ts'
import { unwantedSoftware } from './unwanted-software.ts'
import { generators } from './generators/all.ts'
import type { Observation } from '#features/assets/observation.ts'
import type { Estate, AssetGenerator, SourcedObservation } from './generators/generator.ts'

export interface EstateOptions {
  readonly size: number
  readonly seed: number
  readonly now: Date
}

/**
 * Generates all observations of a company with exactly `size` assets, one at a time, without holding them in memory.
 * Deterministic for seed, size and day (UTC).
 */
export function* generateObservations({ size, seed, now }: EstateOptions): Iterable<SourcedObservation> {
  const estate = estateOf({ size, seed, now })
  const counts = countsFor(size)
  for (const generator of generators) {
    for (let number = 0; number < (counts.get(generator.name) ?? 0); number++) {
      const all = generator.generate(number, estate, seededRandom(seed, generator.name, number))
      const recorded = recordedOf(generator.name, number, estate)
      const at = recorded ? recordedAt(all) : -1
      for (const [place, sourced] of all.entries())
        yield {
          ...withFacts(withSoftware(sourced, seed), estate),
          ...(place === at && recorded && { recorded }),
        }
    }
  }
}

export function estateOf({ size, seed, now }: EstateOptions): Estate {
  const counts = countsFor(size)
  return {
    seed,
    size,
    day: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())),
    count: (name) => Math.max(1, counts.get(name) ?? 0),
  }
}

/** Whose sighting the record comes with: purchasing's, else the first that has a serial number. */
function recordedAt(all: readonly SourcedObservation[]): number {
  const bought = all.findIndex(({ by }) => by === 'purchasing')
  if (bought >= 0) return bought
  return all.findIndex(({ observation }) => observation.identifiers.some(({ type }) => type === 'serial'))
}

/** Adds the installed software to observations of agents; some cannot read it. */
function withSoftware({ by, observation }: SourcedObservation, seed: number): SourcedObservation {
  const { os = '', sourceKey } = observation
  if (by === 'vcenter') return { by, observation: withRelease(observation) }
  if (by !== 'agents') return { by, observation }
  const installed = installedSoftware(os, seededRandom(seed, 'software', sourceKey))
  const random = seededRandom(seed, 'unwanted', sourceKey)
  if (!installed || random.percent(UNREAD_PERCENT)) return { by, observation }
  const software = { ...installed, items: [...installed.items, ...unwantedSoftware(installed, random)] }
  return { by, observation: { ...observation, software } }
}

const UNREAD_PERCENT = 6

/** vCenter tells the release of a hypervisor, but of none that does not answer it. */
function withRelease(observation: Observation): Observation {
  const [, versionId] = /^VMware ESXi (\S+)$/.exec(observation.os ?? '') ?? []
  if (versionId === undefined || observation.sourceKey.endsWith('4')) return observation
  const release = { id: 'esxi', versionId, prettyName: observation.os ?? '' }
  return { ...observation, software: { release, complete: [], items: [] } }
}

/** Adds what sources see of how a device is kept. */
function withFacts({ by, observation }: SourcedObservation, { seed, day }: Estate): SourcedObservation {
  const random = seededRandom(seed, 'facts', by, observation.sourceKey)
  // by the month, so that the same estate tells the same on the next day
  const month = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1))
  const facts = { ...observedFacts(by, observation, { random, day: month }), ...observation.facts }
  return { by, observation: { ...observation, facts } }
}

/** The number of assets of each generator: one each first, the rest by share (largest remainder method). */
export function countsFor(size: number): ReadonlyMap<string, number> {
  const one = generators.map((_, i): number => (i < size ? 1 : 0))
  const rest = size - one.reduce((sum, count) => sum + count, 0)
  const shares = generators.reduce((sum, generator) => sum + generator.share, 0)
  const exact = generators.map((generator) => (rest * generator.share) / shares)
  const whole = exact.map(Math.floor)
  const missing = rest - whole.reduce((sum, count) => sum + count, 0)
  const remainder = (generator: AssetGenerator): number => exact[generators.indexOf(generator)]! % 1
  const topped = new Set(generators.toSorted((a, b) => remainder(b) - remainder(a)).slice(0, missing))
  return new Map(
    generators.map((generator, i) => [generator.name, one[i]! + whole[i]! + (topped.has(generator) ? 1 : 0)]),
  )
}
