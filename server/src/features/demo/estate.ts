import { draws } from './seeded-random.ts'
import { softwareOn } from './installed-software.ts'
import { parts } from './generators/all.ts'
import type { Estate, Part, Sighted } from './generators/generator.ts'

export interface EstateOptions {
  readonly size: number
  readonly seed: number
  readonly now: Date
}

/**
 * Everything that all sources see of an estate of exactly `size` assets, one thing after the other and none kept.
 * The same for the same seed, size and day (UTC), however often it is asked for.
 */
export function* estateSightings({ size, seed, now }: EstateOptions): Iterable<Sighted> {
  const counts = countsFor(size)
  const estate: Estate = {
    seed,
    size,
    day: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())),
    count: (name) => Math.max(1, counts.get(name) ?? 0),
  }
  for (const part of parts) {
    for (let number = 0; number < (counts.get(part.name) ?? 0); number++) {
      for (const sighted of part.see(number, estate, draws(seed, part.name, number)))
        yield withSoftware(sighted, seed)
    }
  }
}

/** Agents say what is installed. */
function withSoftware({ by, observation }: Sighted, seed: number): Sighted {
  const { os = '', sourceKey } = observation
  const software = by === 'agents' ? softwareOn(os, draws(seed, 'software', sourceKey)) : undefined
  return { by, observation: software ? { ...observation, software } : observation }
}

/** How many things each part has: one of each first, then by share; the largest remainders make up the sum. */
export function countsFor(size: number): ReadonlyMap<string, number> {
  const one = parts.map((_, i): number => (i < size ? 1 : 0))
  const rest = size - one.reduce((sum, count) => sum + count, 0)
  const shares = parts.reduce((sum, part) => sum + part.share, 0)
  const exact = parts.map((part) => (rest * part.share) / shares)
  const whole = exact.map(Math.floor)
  const missing = rest - whole.reduce((sum, count) => sum + count, 0)
  const remainder = (part: Part): number => exact[parts.indexOf(part)]! % 1
  const topped = new Set(parts.toSorted((a, b) => remainder(b) - remainder(a)).slice(0, missing))
  return new Map(parts.map((part, i) => [part.name, one[i]! + whole[i]! + (topped.has(part) ? 1 : 0)]))
}
