import type { Ctx } from '#platform/context.ts'
import { evidence } from '../identity/evidence.ts'
import type { Constraint } from '../identity/identity.ts'
import * as store from './observation-read-store.ts'
import { sightingOf, type Observed } from './observation-record.ts'
import {
  HOLDERS_MAX,
  isTelling,
  learnShared,
  type SharedBecause,
} from '../identity/shared-identifier-values.ts'
import { isThin, together, valueKey, type Sighting, type Trait } from '../identity/match-record.ts'
import { groupOf, LINK_SCORE } from '../identity/evidence-weights.ts'

/**
 * The part of the inventory that a change can reach, so that clustering it alone gives what clustering everything
 * would. Whole assets only: those of the changed observations and of all that is linked to them, directly or not;
 * then the thin observations on their addresses, with every asset those could hang on instead.
 */
export interface Neighbourhood {
  /** By id: everything in hand, the changed ones as they are now. */
  readonly observed: Map<string, Observed>
  readonly sightings: Map<string, Sighting>
  /** What must be clustered. */
  readonly region: Set<string>
  /** Those whose every relation is in hand. */
  readonly core: Set<string>
  readonly holders: Map<string, readonly Sighting[]>
  constraints: Constraint[]
  readonly shared: Set<string>
  /** Values that became shared, and those that are shared no longer. */
  readonly learned: Map<string, { readonly trait: Trait; readonly why: SharedBecause }>
  readonly unlearned: Map<string, Trait>
}

export interface Occasion {
  /** New, or different from what is stored. */
  readonly changed: readonly Observed[]
  /** Stored, and to be thought over again. */
  readonly suspects?: readonly Observed[]
  /** What people say, besides what is stored. */
  readonly declared?: readonly Constraint[]
}

export async function neighbourhoodOf(ctx: Ctx, occasion: Occasion): Promise<Neighbourhood> {
  const search = await begin(ctx, occasion)
  while (search.frontier.size > 0) {
    await growCore(search)
    await growLeaves(search)
  }
  search.constraints = await constraintsAbout(search, search.region)
  return search
}

interface Search extends Neighbourhood {
  readonly ctx: Ctx
  /** Core members whose relations are not yet looked up. */
  readonly frontier: Set<string>
  readonly wholeAssets: Set<string>
  /** The changed observations by value: the database does not know yet who holds what now. */
  readonly changed: Map<string, Sighting[]>
  readonly isNew: ReadonlySet<string>
  readonly declared: readonly Constraint[]
}

async function begin(ctx: Ctx, { changed, suspects = [], declared = [] }: Occasion): Promise<Search> {
  const shared = await store.sharedValues(ctx)
  const search: Search = {
    ctx,
    observed: new Map(),
    sightings: new Map(),
    region: new Set(),
    core: new Set(),
    holders: new Map(),
    constraints: [],
    shared: new Set(shared.map(({ type, value }) => valueKey(type, value))),
    learned: new Map(),
    unlearned: new Map(),
    frontier: new Set(),
    wholeAssets: new Set(),
    changed: new Map(),
    declared,
    isNew: new Set(changed.filter(({ assetId }) => assetId === undefined).map(({ id }) => id)),
  }
  hold(search, changed)
  hold(search, suspects)
  for (const { id } of changed) {
    const seen = search.sightings.get(id)
    for (const key of seen?.traits.keys() ?? []) {
      search.changed.set(key, [...(search.changed.get(key) ?? []), ...(seen ? [seen] : [])])
    }
  }
  for (const { id } of [...changed, ...suspects]) enter(search, id)
  return search
}

function hold(search: Search, observed: readonly Observed[]): void {
  for (const each of observed) {
    if (search.observed.has(each.id)) continue
    search.observed.set(each.id, each)
    search.sightings.set(each.id, sightingOf(each))
  }
}

function enter(search: Search, id: string): void {
  if (search.core.has(id)) return
  search.core.add(id)
  search.region.add(id)
  search.frontier.add(id)
}

async function growCore(search: Search): Promise<void> {
  while (search.frontier.size > 0) {
    const ids = [...search.frontier]
    search.frontier.clear()
    for (const id of await loadWholeAssets(search, ids)) enter(search, id)
    for (const { kind, a, b } of await constraintsAbout(search, new Set(ids))) {
      if (kind !== 'must_link') continue
      await load(search, [a, b])
      for (const id of [a, b]) enter(search, id)
    }
    await lookUp(search, ids)
    for (const id of ids) for (const partner of linkedTo(search, id)) enter(search, partner)
  }
}

/** Thin observations around the core, and around those; each with all the clusters that hold its address. */
async function growLeaves(search: Search): Promise<void> {
  const leaves = new Set<string>()
  let found = [...search.core].flatMap((id) => [...(thin(search, id) ? [id] : []), ...leavesOf(search, id)])
  while (found.length > 0) {
    const fresh = [...new Set(found)].filter((id) => !leaves.has(id))
    for (const id of fresh) {
      leaves.add(id)
      search.region.add(id)
    }
    for (const id of await loadWholeAssets(search, fresh)) search.region.add(id)
    await lookUp(search, fresh)
    const neighbours = fresh.flatMap((id) => neighboursOf(search, id))
    const strong = neighbours.filter((id) => !thin(search, id))
    for (const id of strong) search.region.add(id)
    for (const id of await loadWholeAssets(search, strong)) search.region.add(id)
    found = neighbours.filter((id) => thin(search, id) && !leaves.has(id))
  }
  for (const id of leaves) search.core.add(id)
}

/** Looks up who holds each value of these observations, and learns or unlearns that it is shared. */
async function lookUp(search: Search, ids: readonly string[]): Promise<void> {
  const wanted = new Map<string, Trait>()
  for (const id of ids) {
    for (const [key, trait] of search.sightings.get(id)?.traits ?? []) {
      if (!search.holders.has(key) && isTelling(trait.type, trait.value)) wanted.set(key, trait)
    }
  }
  const found = await store.holdersOf(search.ctx, [...wanted.values()], HOLDERS_MAX + 1)
  const byKey = Map.groupBy(found, ({ type, value }) => valueKey(type, value))
  const readable = [...byKey].filter(([key, held]) => held.length <= HOLDERS_MAX || !search.shared.has(key))
  await load(
    search,
    readable.flatMap(([, held]) => held.map((each) => each.observationId)),
  )
  for (const [key, trait] of wanted) {
    const held = byKey.get(key) ?? []
    const crowded = held.length > HOLDERS_MAX && search.shared.has(key)
    const known = crowded ? [] : held.map((each) => search.sightings.get(each.observationId))
    const holders = [...new Set([...known, ...(search.changed.get(key) ?? [])])].filter(
      (seen) => seen !== undefined,
    )
    search.holders.set(key, holders)
    if (!crowded) reconsider(search, { key, trait, holders })
  }
}

/** All who hold a value that turns shared, or no longer is, are thought over. */
function reconsider(
  search: Search,
  { key, trait, holders }: { key: string; trait: Trait; holders: readonly Sighting[] },
): void {
  const why = learnShared(trait, holders)
  if ((why !== undefined) === search.shared.has(key)) return
  if (why) {
    search.shared.add(key)
    search.learned.set(key, { trait, why })
  } else {
    search.shared.delete(key)
    search.unlearned.set(key, trait)
  }
  for (const { id } of holders) {
    enter(search, id)
    search.frontier.add(id) // its links have to be found again, though it was in the core before
  }
}

function linkedTo(search: Search, id: string): string[] {
  const seen = search.sightings.get(id)
  if (!seen) return []
  const partners = new Set<Sighting>()
  for (const [key, { type }] of seen.traits) {
    if (groupOf[type] === 'name' || groupOf[type] === 'addr' || search.shared.has(key)) continue
    for (const other of search.holders.get(key) ?? []) if (!search.core.has(other.id)) partners.add(other)
  }
  return [...partners]
    .filter((other) => evidence(seen, other, search.shared).score >= LINK_SCORE)
    .map((other) => other.id)
}

/** Who holds an address of this one at the same time. */
function neighboursOf(search: Search, id: string): string[] {
  const seen = search.sightings.get(id)
  if (!seen) return []
  return [...seen.traits].flatMap(([key, trait]) => {
    if (trait.type !== 'ip' || search.shared.has(key)) return []
    return (search.holders.get(key) ?? [])
      .filter((other) => other !== seen && other.scope === seen.scope && meets(trait, other.traits.get(key)))
      .map((other) => other.id)
  })
}

const meets = (trait: Trait, other: Trait | undefined): boolean =>
  other !== undefined && together(trait, other)

const leavesOf = (search: Search, id: string): string[] =>
  neighboursOf(search, id).filter((other) => thin(search, other))

function thin(search: Search, id: string): boolean {
  const seen = search.sightings.get(id)
  return seen !== undefined && isThin(seen, search.shared)
}

/** Answers the members of the assets of these observations. */
async function loadWholeAssets(search: Search, ids: readonly string[]): Promise<string[]> {
  const assets = new Set(
    ids.map((id) => search.observed.get(id)?.assetId).filter((asset) => asset !== undefined),
  )
  const missing = [...assets].filter((asset) => !search.wholeAssets.has(asset))
  hold(search, await store.observedOfAssets(search.ctx, missing))
  for (const asset of missing) search.wholeAssets.add(asset)
  return [...search.observed.values()]
    .filter(({ assetId }) => assetId !== undefined && assets.has(assetId))
    .map(({ id }) => id)
}

async function load(search: Search, ids: readonly string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !search.observed.has(id))
  hold(search, await store.observedById(search.ctx, missing))
}

/** What people said now beats what they said before. */
async function constraintsAbout(search: Search, ids: ReadonlySet<string>): Promise<Constraint[]> {
  const stored = await store.constraintsAbout(
    search.ctx,
    [...ids].filter((id) => !search.isNew.has(id)),
  )
  const declared = search.declared.filter(({ a, b }) => ids.has(a) || ids.has(b))
  const pairs = new Map([...stored, ...declared].map((each) => [[each.a, each.b].sort().join(' '), each]))
  return [...pairs.values()]
}
