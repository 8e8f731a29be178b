import { makerOf } from './identifiers.ts'
import type { IdentifierType } from '../observation.ts'
import { weightOf } from './evidence-weights.ts'

/** An observation as identity sees it: all that its source ever said to tell the thing from others. */
export interface Sighting {
  readonly id: string
  /** Source and source key: the same however the observations arrived. Orders everything that needs an order. */
  readonly key: string
  /** Addresses mean something within a scope only. */
  readonly scope: string
  readonly maker: string | undefined
  readonly traits: ReadonlyMap<string, Trait>
}

/** A normalised identifier, and from when to when (milliseconds) its source saw it on this thing. */
export interface Trait {
  readonly type: IdentifierType
  readonly value: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly static: boolean
}

/** An agent that was silent for longer is no longer live; an address may have passed to another machine. */
export const CHECK_IN_MS = 15 * 60_000

/** Values that many machines share, as `valueKey` spells them: they count for nothing. */
export type SharedValues = ReadonlySet<string>

export const valueKey = (type: IdentifierType, value: string): string => `${type} ${value}`

export interface SightingFields extends Omit<Sighting, 'maker' | 'traits'> {
  readonly vendor: string | undefined
  readonly traits: readonly Trait[]
}

export function sighting({ vendor, traits, ...fields }: SightingFields): Sighting {
  return {
    ...fields,
    maker: makerOf(vendor),
    traits: new Map(traits.map((trait) => [valueKey(trait.type, trait.value), trait])),
  }
}

export function traitsOf(seen: Sighting, type: IdentifierType): Trait[] {
  return [...seen.traits.values()].filter((trait) => trait.type === type)
}

/** Seen at the same time, give or take one check-in. */
export function together(a: Trait, b: Trait): boolean {
  return a.firstSeen <= b.lastSeen + CHECK_IN_MS && b.firstSeen <= a.lastSeen + CHECK_IN_MS
}

/**
 * It says where the thing is and nothing about what it is: addresses, names that follow them or that everybody
 * uses, random MAC addresses.
 */
export function isThin(seen: Sighting, shared: SharedValues): boolean {
  let addressed = false
  for (const [key, trait] of seen.traits) {
    if (trait.type === 'ip') addressed = true
    else if (weightOf(trait.type, trait.value) > THIN_WEIGHT_MAX && !shared.has(key)) return false
  }
  return addressed
}

const THIN_WEIGHT_MAX = 0.3
