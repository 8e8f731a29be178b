import type { NewEvent } from '#features/events/events.ts'
import { emit } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { allot, type Allotted } from './surviving-assets.ts'
import { confidenceChanged, deletedAsset, newAsset, updatedAsset } from '../asset-events.ts'
import { describe, NOTHING_PERSONAL, type Personal } from '../attributes/asset-values.ts'
import { cluster, type Constraint } from '../identity/identity.ts'
import { formerAssets } from './observation-read-store.ts'
import { neighbourhoodOf, type Neighbourhood } from './affected-observations.ts'
import type { ComputedAsset } from '../asset.ts'
import * as assetStore from '../asset-store.ts'
import { doubtsAmong, watchedAmong } from './duplicate-candidates.ts'
import * as store from './observation-write-store.ts'
import type { Observed } from './observation-record.ts'
import { appearance } from './visible-changes.ts'
import { isThin } from '../identity/match-record.ts'

export interface Rethought {
  /** New or different from what is stored. */
  readonly changed: readonly Observed[]
  /** The changed ones as they are stored, by id. */
  readonly formerly?: ReadonlyMap<string, Observed>
  /** Stored, and to be thought over because something about them changed. */
  readonly suspects?: readonly Observed[]
  /** Those of the changed that are stored with other identifiers. */
  readonly relabelled?: ReadonlySet<string>
  /** What people say from now on; written with the outcome. */
  readonly declared?: readonly Declared[]
  /** Observations that keep the id of their asset, whatever leaves it. */
  readonly staying?: ReadonlySet<string>
  /** Whether an asset that split off is announced as new; a person who separates announces it otherwise. */
  readonly announceSplits?: boolean
}

export interface Declared extends Constraint {
  readonly reason: string
}

/** Which asset each observation in question is of now, and which assets came, changed and went. */
export interface Outcome {
  readonly assetOf: ReadonlyMap<string, string>
  /** What became of the assets in question, by id. */
  readonly described: ReadonlyMap<string, Described>
  /** Of those that existed, the ones that took another in or show something else now. */
  readonly lookNew: ReadonlySet<string>
  readonly came: readonly string[]
  readonly changed: readonly string[]
  readonly went: readonly string[]
}

/**
 * Clusters anew all that the change can reach and writes what came of it: observations, assets, what is shared,
 * open questions, events. Needs the tenant's lock.
 */
export async function reidentify(ctx: Ctx, rethought: Rethought): Promise<Outcome> {
  const found = await neighbourhoodOf(ctx, rethought)
  const allotted = await allotAll(ctx, found, rethought)
  const touched = touchedAmong(allotted, found, rethought.changed)
  const before = await storedAssets(ctx, touched)
  const described = touched.map((each) => describeOne(each, before))
  const assetOf = new Map(allotted.flatMap(({ assetId, members }) => members.map(({ id }) => [id, assetId])))
  const watched = watchedAmong(found, assetOf)
  for (const { dependsOnTime, members } of described) {
    if (dependsOnTime) for (const { id } of members) watched.add(id)
  }
  await writeAll(ctx, found, { ...rethought, touched, described, assetOf, watched })
  await emit(ctx, eventsOf(ctx, { touched, described, before }, rethought.announceSplits ?? true))
  return {
    assetOf,
    described: new Map(described.map((each) => [each.row.id, each])),
    lookNew: new Set([
      ...touched.filter(({ merged }) => merged.length > 0).map(({ assetId }) => assetId),
      ...lookingNew(described, before, { found, formerly: rethought.formerly ?? new Map() }),
    ]),
    came: touched.filter(({ origin }) => origin !== 'kept').map(({ assetId }) => assetId),
    changed: touched.filter(({ origin }) => origin === 'kept').map(({ assetId }) => assetId),
    went: touched.flatMap(({ merged }) => merged),
  }
}

async function allotAll(ctx: Ctx, found: Neighbourhood, { staying }: Rethought): Promise<Allotted[]> {
  const sightings = [...found.region].flatMap((id) => found.sightings.get(id) ?? [])
  const clusters = cluster({ sightings, constraints: found.constraints, shared: found.shared })
  const assets = new Set(sightings.flatMap(({ id }) => found.observed.get(id)?.assetId ?? []))
  return allot(clusters, {
    observed: found.observed,
    isThin: (id) => {
      const seen = found.sightings.get(id)
      return seen !== undefined && isThin(seen, found.shared)
    },
    former: clusters.length > assets.size ? await formerAssets(ctx, [...assets]) : [],
    ...(staying && { staying }),
    newId: () => newUuid(ctx.now()),
  })
}

/** Assets that have a changed observation, or other observations than before. */
function touchedAmong(
  allotted: readonly Allotted[],
  found: Neighbourhood,
  changed: readonly Observed[],
): Allotted[] {
  const isChanged = new Set(changed.map(({ id }) => id))
  const formerly = new Map<string | undefined, number>()
  for (const id of found.region) {
    const assetId = found.observed.get(id)?.assetId
    formerly.set(assetId, (formerly.get(assetId) ?? 0) + 1)
  }
  return allotted.filter(
    ({ assetId, members }) =>
      members.length !== formerly.get(assetId) ||
      members.some(({ id, assetId: was }) => was !== assetId || isChanged.has(id)),
  )
}

type Before = ReadonlyMap<string, assetStore.StoredAsset>

async function storedAssets(ctx: Ctx, touched: readonly Allotted[]): Promise<Before> {
  const ids = touched.flatMap(({ assetId, origin, merged }) =>
    origin === 'kept' ? [assetId, ...merged] : [],
  )
  return new Map((await assetStore.assetsById(ctx, ids)).map((asset) => [asset.id, asset]))
}

export interface Described {
  readonly row: ComputedAsset
  readonly dependsOnTime: boolean
  readonly members: readonly Observed[]
}

function describeOne({ assetId, members, merged }: Allotted, before: Before): Described {
  const personal = [assetId, ...merged].map((id) => before.get(id) ?? NOTHING_PERSONAL).reduce(unite)
  return { ...describe(assetId, members, personal), members }
}

interface Earlier {
  readonly found: Neighbourhood
  readonly formerly: ReadonlyMap<string, Observed>
}

function lookingNew(described: readonly Described[], before: Before, { found, formerly }: Earlier): string[] {
  const stored = [...found.region].flatMap((id) => formerly.get(id) ?? found.observed.get(id) ?? [])
  const membersOf = Map.groupBy(stored, ({ assetId }) => assetId)
  const looksNew = ({ row, members }: Described): boolean => {
    const asset = before.get(row.id)
    if (!asset) return false
    return appearance(asset, membersOf.get(row.id) ?? []) !== appearance(row, members)
  }
  return described.filter(looksNew).map(({ row }) => row.id)
}

/** Of a merged asset: its tags are added, and what the survivor has not is taken over. */
function unite(survivor: Personal, merged: Personal): Personal {
  const ownTags = [...new Set([...survivor.ownTags, ...merged.ownTags])]
  const set = new Set(survivor.overrides.map(({ attribute }) => attribute))
  return {
    ownTags,
    mutedTags: [...new Set([...survivor.mutedTags, ...merged.mutedTags])].filter(
      (tag) => !ownTags.includes(tag),
    ),
    overrides: [...survivor.overrides, ...merged.overrides.filter(({ attribute }) => !set.has(attribute))],
  }
}

interface Written extends Rethought {
  readonly touched: readonly Allotted[]
  readonly described: readonly Described[]
  readonly assetOf: ReadonlyMap<string, string>
  readonly watched: ReadonlySet<string>
}

async function writeAll(ctx: Ctx, found: Neighbourhood, outcome: Written): Promise<void> {
  const { touched, described, assetOf, watched, changed } = outcome
  const isChanged = new Set(changed.map(({ id }) => id))
  const isSettled = new Set(touched.flatMap(({ members }) => members.map(({ id }) => id)))
  const placed = [...assetOf].flatMap(([id, assetId]): Observed[] => {
    const each = found.observed.get(id)
    if (!each) return []
    const kept = each.watched && !(isSettled.has(id) && found.core.has(id))
    const observed = { ...each, assetId, watched: kept || watched.has(id) }
    const same = each.assetId === assetId && each.watched === observed.watched && !isChanged.has(id)
    return same ? [] : [observed]
  })
  const isNew = (each: Observed) => found.observed.get(each.id)?.assetId === undefined
  await store.addObservations(ctx, placed.filter(isNew))
  await store.changeObservations(
    ctx,
    placed.filter((each) => !isNew(each)),
  )
  await store.replaceIdentifiers(
    ctx,
    changed.filter(({ id }) => outcome.relabelled?.has(id)),
  )
  await store.writeConstraints(ctx, outcome.declared ?? [])
  const restored = touched.filter(({ origin }) => origin === 'restored').map(({ assetId }) => assetId)
  if (restored.length > 0) await assetStore.dropAliases(ctx, restored)
  const kept = new Set(touched.filter(({ origin }) => origin === 'kept').map(({ assetId }) => assetId))
  const rows = described.map(({ row }) => row)
  await assetStore.addAssets(
    ctx,
    rows.filter(({ id }) => !kept.has(id)),
  )
  await assetStore.changeAssets(
    ctx,
    rows.filter(({ id }) => kept.has(id)),
  )
  const merges = mergesOf(touched)
  if (merges.length > 0) {
    await assetStore.bequeath(ctx, merges, ctx.now())
    await assetStore.removeAssets(
      ctx,
      merges.map(({ oldId }) => oldId),
    )
  }
  await store.watch(
    ctx,
    [...watched].filter((id) => !assetOf.has(id) && !found.observed.get(id)?.watched),
  )
  await writeKnowledge(ctx, found, { assetOf, changed })
}

function mergesOf(touched: readonly Allotted[]): assetStore.Merge[] {
  return touched.flatMap(({ assetId, members, merged }) =>
    merged.map((oldId) => ({
      oldId,
      assetId,
      observationIds: members.filter((member) => member.assetId === oldId).map(({ id }) => id),
    })),
  )
}

async function writeKnowledge(
  ctx: Ctx,
  found: Neighbourhood,
  { assetOf, changed }: Pick<Written, 'assetOf' | 'changed'>,
): Promise<void> {
  const learned = [...found.learned.values()].map(({ trait: { type, value }, why }) => ({ type, value, why }))
  if (learned.length > 0) await store.learn(ctx, learned)
  const unlearned = [...found.unlearned].filter(([key]) => !found.shared.has(key)).map(([, trait]) => trait)
  if (unlearned.length > 0) await store.unlearn(ctx, unlearned)
  const isNew = new Set(changed.filter(({ assetId }) => assetId === undefined).map(({ id }) => id))
  await store.writeDoubts(
    ctx,
    [...found.core].filter((id) => !isNew.has(id)),
    doubtsAmong(found, assetOf),
  )
}

function eventsOf(
  ctx: Ctx,
  {
    touched,
    described,
    before,
  }: { touched: readonly Allotted[]; described: readonly Described[]; before: Before },
  announceSplits: boolean,
): NewEvent[] {
  return touched.flatMap(({ assetId, origin, merged, members }, index): NewEvent[] => {
    const row = described[index]?.row
    if (!row) return []
    if (origin !== 'kept') {
      const split = members.some((member) => member.assetId !== undefined)
      return split && !announceSplits ? [] : [newAsset(row, members)]
    }
    const surer = confidenceChanged(before.get(assetId)?.confidence ?? 0, row.confidence)
    const fields = [...(surer ? ['confidence'] : []), ...(merged.length > 0 ? ['merged'] : [])]
    return [
      ...(fields.length > 0 ? [updatedAsset(row, members, { fields, at: ctx.now() })] : []),
      ...merged.map((id) =>
        deletedAsset({ id, name: before.get(id)?.name ?? '' }, { reason: 'merged', at: ctx.now() }),
      ),
    ]
  })
}
