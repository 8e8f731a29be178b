import type { Ctx } from '#platform/context.ts'
import { evidence } from '../identity/evidence.ts'
import { canLink, type Constraint } from '../identity/identity.ts'
import * as store from './observation-read-store.ts'
import { rememberedNames } from '../remembered-names/remembered-name-store.ts'
import { matchRecordOf, type ObservationRecord, type RememberedNames } from './observation-record.ts'
import {
  HOLDERS_MAX,
  isSelective,
  sharedReason,
  type SharedReason,
} from '../identity/shared-identifier-values.ts'
import { isWeak, valueKey, type MatchRecord, type IdentifierPeriod } from '../identity/match-record.ts'
import { isOneHolder } from '../identity/weak-observations.ts'
import { LINK_SCORE } from '../identity/score-thresholds.ts'

/**
 * The observations that a change can affect: clustering these alone gives the same result as clustering the whole
 * tenant. Contains whole assets: those of the changed observations and of all observations linked to them, directly
 * or not; then the weak observations on their addresses, with every asset that those could be attached to.
 */
export interface AffectedObservations {
  /** Every loaded record by id; changed records in their new version. */
  readonly observed: Map<string, ObservationRecord>
  readonly matchRecords: Map<string, MatchRecord>
  /** Ids to cluster. */
  readonly region: Set<string>
  /** Ids whose links are all loaded. */
  readonly core: Set<string>
  readonly holders: Map<string, readonly MatchRecord[]>
  constraints: Constraint[]
  readonly shared: Set<string>
  /** Values that became shared with this change, and values that are no longer shared. */
  readonly newlyShared: Map<string, { readonly period: IdentifierPeriod; readonly why: SharedReason }>
  readonly noLongerShared: Map<string, IdentifierPeriod>
}

export interface ChangeSet {
  /** New, or different from the stored record. */
  readonly changed: readonly ObservationRecord[]
  /** Stored and unchanged, to be clustered again. */
  readonly recheck?: readonly ObservationRecord[]
  /** Constraints that are not stored yet. */
  readonly declared?: readonly Constraint[]
}

export async function affectedObservations(ctx: Ctx, occasion: ChangeSet): Promise<AffectedObservations> {
  const search = await begin(ctx, occasion)
  while (search.frontier.size > 0) {
    await growCore(search)
    await addWeakObservations(search)
  }
  search.constraints = await constraintsAbout(search, search.region)
  return search
}

interface Search extends AffectedObservations {
  readonly ctx: Ctx
  /** Core ids whose links are not loaded yet. */
  readonly frontier: Set<string>
  readonly wholeAssets: Set<string>
  readonly remembered: RememberedNames
  /** The changed observations by identifier value; the database still has their old values. */
  readonly changed: Map<string, MatchRecord[]>
  readonly isNew: ReadonlySet<string>
  readonly declared: readonly Constraint[]
}

async function begin(ctx: Ctx, { changed, recheck = [], declared = [] }: ChangeSet): Promise<Search> {
  const shared = await store.sharedValues(ctx)
  const remembered = await rememberedNames(ctx)
  const search: Search = {
    ctx,
    observed: new Map(),
    matchRecords: new Map(),
    region: new Set(),
    core: new Set(),
    holders: new Map(),
    constraints: [],
    remembered,
    shared: new Set(shared.map(({ type, value }) => valueKey(type, value))),
    newlyShared: new Map(),
    noLongerShared: new Map(),
    frontier: new Set(),
    wholeAssets: new Set(),
    changed: new Map(),
    declared,
    isNew: new Set(changed.filter(({ assetId }) => assetId === undefined).map(({ id }) => id)),
  }
  addLoaded(search, changed)
  addLoaded(search, recheck)
  for (const { id } of changed) {
    const record = search.matchRecords.get(id)
    for (const key of record?.identifierPeriods.keys() ?? []) {
      search.changed.set(key, [...(search.changed.get(key) ?? []), ...(record ? [record] : [])])
    }
  }
  for (const { id } of [...changed, ...recheck]) addToCore(search, id)
  return search
}

function addLoaded(search: Search, observed: readonly ObservationRecord[]): void {
  for (const each of observed) {
    if (search.observed.has(each.id)) continue
    search.observed.set(each.id, each)
    search.matchRecords.set(each.id, matchRecordOf(each, search.remembered))
  }
}

function addToCore(search: Search, id: string): void {
  if (search.core.has(id)) return
  search.core.add(id)
  search.region.add(id)
  search.frontier.add(id)
}

async function growCore(search: Search): Promise<void> {
  while (search.frontier.size > 0) {
    const ids = [...search.frontier]
    search.frontier.clear()
    for (const id of await loadWholeAssets(search, ids)) addToCore(search, id)
    for (const { kind, a, b } of await constraintsAbout(search, new Set(ids))) {
      if (kind !== 'must_link') continue
      await load(search, [a, b])
      for (const id of [a, b]) addToCore(search, id)
    }
    await lookUp(search, ids)
    for (const id of ids) for (const partner of linkedTo(search, id)) addToCore(search, partner)
  }
}

/** Weak observations on addresses of the core, and on theirs; each with all clusters that have its address. */
async function addWeakObservations(search: Search): Promise<void> {
  const leaves = new Set<string>()
  let found = [...search.core].flatMap((id) => [
    ...(weak(search, id) ? [id] : []),
    ...weakNeighboursOf(search, id),
  ])
  while (found.length > 0) {
    const fresh = [...new Set(found)].filter((id) => !leaves.has(id))
    for (const id of fresh) {
      leaves.add(id)
      search.region.add(id)
    }
    for (const id of await loadWholeAssets(search, fresh)) search.region.add(id)
    await lookUp(search, fresh)
    const neighbours = fresh.flatMap((id) => neighboursOf(search, id))
    const strong = neighbours.filter((id) => !weak(search, id))
    for (const id of strong) search.region.add(id)
    for (const id of await loadWholeAssets(search, strong)) search.region.add(id)
    found = neighbours.filter((id) => weak(search, id) && !leaves.has(id))
  }
  for (const id of leaves) search.core.add(id)
}

/** Loads the holders of each value of these observations and updates which values are shared. */
async function lookUp(search: Search, ids: readonly string[]): Promise<void> {
  const wanted = new Map<string, IdentifierPeriod>()
  for (const id of ids) {
    for (const [key, period] of search.matchRecords.get(id)?.identifierPeriods ?? []) {
      if (!search.holders.has(key) && isSelective(period.type, period.value)) wanted.set(key, period)
    }
  }
  const found = await store.holdersOf(search.ctx, [...wanted.values()], HOLDERS_MAX + 1)
  const byKey = Map.groupBy(found, ({ type, value }) => valueKey(type, value))
  const readable = [...byKey].filter(([key, held]) => held.length <= HOLDERS_MAX || !search.shared.has(key))
  await load(
    search,
    readable.flatMap(([, held]) => held.map((each) => each.observationId)),
  )
  for (const [key, period] of wanted) {
    const held = byKey.get(key) ?? []
    const crowded = held.length > HOLDERS_MAX && search.shared.has(key)
    const known = crowded ? [] : held.map((each) => search.matchRecords.get(each.observationId))
    const holders = [...new Set([...known, ...(search.changed.get(key) ?? [])])].filter(
      (record) => record !== undefined,
    )
    search.holders.set(key, holders)
    if (!crowded) reconsider(search, { key, period, holders })
  }
}

/** If a value becomes shared or stops being shared, all its holders are clustered again. */
function reconsider(
  search: Search,
  { key, period, holders }: { key: string; period: IdentifierPeriod; holders: readonly MatchRecord[] },
): void {
  const why = sharedReason(period, holders)
  if ((why !== undefined) === search.shared.has(key)) return
  if (why) {
    search.shared.add(key)
    search.newlyShared.set(key, { period, why })
  } else {
    search.shared.delete(key)
    search.noLongerShared.set(key, period)
  }
  for (const { id } of holders) {
    addToCore(search, id)
    search.frontier.add(id) // also if it was in the core already: its links change
  }
}

function linkedTo(search: Search, id: string): string[] {
  const record = search.matchRecords.get(id)
  if (!record) return []
  const partners = new Set<MatchRecord>()
  for (const [key, period] of record.identifierPeriods) {
    if (!canLink(period) || search.shared.has(key)) continue
    for (const other of search.holders.get(key) ?? []) if (!search.core.has(other.id)) partners.add(other)
  }
  return [...partners]
    .filter((other) => evidence(record, other, search.shared).score >= LINK_SCORE)
    .map((other) => other.id)
}

/** Ids of observations that may be of the same holder of one of its addresses. */
function neighboursOf(search: Search, id: string): string[] {
  const record = search.matchRecords.get(id)
  if (!record) return []
  return [...record.identifierPeriods].flatMap(([key, period]) => {
    if (period.type !== 'ip' || search.shared.has(key)) return []
    return (search.holders.get(key) ?? [])
      .filter((other) => {
        const same = other.identifierPeriods.get(key)
        if (other === record || other.scope !== record.scope || !same) return false
        return isOneHolder({ record, period }, { record: other, period: same })
      })
      .map((other) => other.id)
  })
}

const weakNeighboursOf = (search: Search, id: string): string[] =>
  neighboursOf(search, id).filter((other) => weak(search, other))

function weak(search: Search, id: string): boolean {
  const record = search.matchRecords.get(id)
  return record !== undefined && isWeak(record, search.shared)
}

/** Loads all observations of the assets of these observations; returns their ids. */
async function loadWholeAssets(search: Search, ids: readonly string[]): Promise<string[]> {
  const assets = new Set(
    ids.map((id) => search.observed.get(id)?.assetId).filter((asset) => asset !== undefined),
  )
  const missing = [...assets].filter((asset) => !search.wholeAssets.has(asset))
  addLoaded(search, await store.observedOfAssets(search.ctx, missing))
  for (const asset of missing) search.wholeAssets.add(asset)
  return [...search.observed.values()]
    .filter(({ assetId }) => assetId !== undefined && assets.has(assetId))
    .map(({ id }) => id)
}

async function load(search: Search, ids: readonly string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !search.observed.has(id))
  addLoaded(search, await store.observedById(search.ctx, missing))
}

/** A new constraint replaces the stored one of the same pair. */
async function constraintsAbout(search: Search, ids: ReadonlySet<string>): Promise<Constraint[]> {
  const stored = await store.constraintsAbout(
    search.ctx,
    [...ids].filter((id) => !search.isNew.has(id)),
  )
  const declared = search.declared.filter(({ a, b }) => ids.has(a) || ids.has(b))
  const pairs = new Map([...stored, ...declared].map((each) => [[each.a, each.b].sort().join(' '), each]))
  return [...pairs.values()]
}
