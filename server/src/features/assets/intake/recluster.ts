import { emit, type NewEvent } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { reviveSighted, sightedAmong } from '../archive/archive-changes.ts'
import { assignAssetIds, type AssignedCluster } from './surviving-assets.ts'
import { confidenceChanged, deletedAsset, newAsset, updatedAsset } from '../asset-events.ts'
import { describe, NO_EDITS, type AssetEdits } from '../attributes/asset-values.ts'
import { cluster, type Constraint } from '../identity/identity.ts'
import { formerAssets } from './observation-read-store.ts'
import { affectedObservations, type AffectedObservations } from './affected-observations.ts'
import type { ComputedAsset } from '../asset.ts'
import { addClusterChanges, changeAssets, regroupedOf } from '../asset-changes.ts'
import { aboutClusters } from '../asset-signals.ts'
import * as assetStore from '../asset-store.ts'
import { announceMovedValues } from '../editing/moved-values.ts'
import { candidatePairs, watchedAmong } from './duplicate-candidates.ts'
import * as store from './observation-write-store.ts'
import type { ObservationRecord } from './observation-record.ts'
import { visibleState } from './visible-changes.ts'
import { isWeak } from '../identity/match-record.ts'

export interface ReclusterRequest {
  /** New, or different from the stored record. */
  readonly changed: readonly ObservationRecord[]
  /** The stored versions of the changed records, by id. */
  readonly storedRecords?: ReadonlyMap<string, ObservationRecord>
  /** Stored and unchanged, but to be clustered again: a constraint or a neighbour changed. */
  readonly recheck?: readonly ObservationRecord[]
  /** Changed records whose identifier rows must be replaced. */
  readonly identifiersChanged?: ReadonlySet<string>
  /** Constraints that people add; stored with the result. */
  readonly declared?: readonly NewConstraint[]
  /** Observations that keep their asset's id when others are unlinked from it. */
  readonly staying?: ReadonlySet<string>
  /** Whether an asset that split off emits NEW_ASSET (the default); an unlink emits UNLINK instead. */
  readonly announceSplits?: boolean
}

export interface NewConstraint extends Constraint {
  readonly reason: string
  /** That it is taken back by merging alone. */
  readonly isOfUnlink?: boolean
}

/** The asset of each clustered observation, and the assets added, changed and removed. */
export interface ReclusterResult {
  readonly assetOf: ReadonlyMap<string, string>
  /** The computed values of every affected asset, by asset id. */
  readonly computed: ReadonlyMap<string, ComputedCluster>
  /** Existing assets that survived a merge or whose visible state changed. */
  readonly visiblyChanged: ReadonlySet<string>
  readonly came: readonly string[]
  readonly changed: readonly string[]
  readonly went: readonly string[]
}

/**
 * Clusters every observation that the change can affect and writes the result: observations, assets, shared values,
 * candidate pairs, events. The caller holds the tenant's lock (`lockTenant`).
 */
export async function recluster(ctx: Ctx, request: ReclusterRequest): Promise<ReclusterResult> {
  const found = await affectedObservations(ctx, request)
  const assigned = await assignAll(ctx, found, request)
  const touched = touchedAmong(assigned, found, request.changed)
  const before = await storedAssets(ctx, touched)
  const computed = touched.map((each) => computeOne(each, before))
  const assetOf = new Map(assigned.flatMap(({ assetId, members }) => members.map(({ id }) => [id, assetId])))
  const watched = watchedAmong(found, assetOf)
  for (const { dependsOnTime, members } of computed) {
    if (dependsOnTime) for (const { id } of members) watched.add(id)
  }
  await writeAll(aboutClusters(ctx, touched), found, { ...request, touched, computed, assetOf, watched })
  const seen = touched.map((it, index) => ({ ...it, lastSeen: computed[index]?.row.lastSeen ?? 0 }))
  await reviveSighted(ctx, sightedAmong(seen, before))
  await addClusterChanges(ctx, touched, computed, before)
  await emit(ctx, eventsOf(ctx, { touched, computed, before }, request.announceSplits ?? true))
  return {
    assetOf,
    computed: new Map(computed.map((each) => [each.row.id, each])),
    visiblyChanged: new Set([
      ...touched.filter(({ merged }) => merged.length > 0).map(({ assetId }) => assetId),
      ...visiblyChangedAmong(computed, before, { found, storedRecords: request.storedRecords ?? new Map() }),
    ]),
    came: touched.filter(({ origin }) => origin !== 'existing').map(({ assetId }) => assetId),
    changed: touched.filter(({ origin }) => origin === 'existing').map(({ assetId }) => assetId),
    went: touched.flatMap(({ merged }) => merged),
  }
}

async function assignAll(
  ctx: Ctx,
  found: AffectedObservations,
  { staying }: ReclusterRequest,
): Promise<AssignedCluster[]> {
  const matchRecords = [...found.region].flatMap((id) => found.matchRecords.get(id) ?? [])
  const clusters = cluster({ matchRecords, constraints: found.constraints, shared: found.shared })
  const assets = new Set(matchRecords.flatMap(({ id }) => found.observed.get(id)?.assetId ?? []))
  return assignAssetIds(clusters, {
    observed: found.observed,
    isWeak: (id) => {
      const record = found.matchRecords.get(id)
      return record !== undefined && isWeak(record, found.shared)
    },
    former: clusters.length > assets.size ? await formerAssets(ctx, [...assets]) : [],
    ...(staying && { staying }),
    newId: () => newUuid(ctx.now()),
  })
}

/** Assets with a changed observation, or with a different set of observations. */
function touchedAmong(
  assigned: readonly AssignedCluster[],
  found: AffectedObservations,
  changed: readonly ObservationRecord[],
): AssignedCluster[] {
  const isChanged = new Set(changed.map(({ id }) => id))
  const storedRecords = new Map<string | undefined, number>()
  for (const id of found.region) {
    const assetId = found.observed.get(id)?.assetId
    storedRecords.set(assetId, (storedRecords.get(assetId) ?? 0) + 1)
  }
  return assigned.filter(
    ({ assetId, members }) =>
      members.length !== storedRecords.get(assetId) ||
      members.some(({ id, assetId: was }) => was !== assetId || isChanged.has(id)),
  )
}

type Before = ReadonlyMap<string, assetStore.StoredAsset>

async function storedAssets(ctx: Ctx, touched: readonly AssignedCluster[]): Promise<Before> {
  const ids = touched.flatMap(({ assetId, origin, merged }) =>
    origin === 'existing' ? [assetId, ...merged] : [],
  )
  return new Map((await assetStore.assetsById(ctx, ids)).map((asset) => [asset.id, asset]))
}

export interface ComputedCluster {
  readonly row: ComputedAsset
  readonly dependsOnTime: boolean
  readonly members: readonly ObservationRecord[]
}

function computeOne({ assetId, members, merged }: AssignedCluster, before: Before): ComputedCluster {
  const edits = [assetId, ...merged].map((id) => before.get(id) ?? NO_EDITS).reduce(mergeEdits)
  return { ...describe(assetId, members, edits), members }
}

interface Earlier {
  readonly found: AffectedObservations
  readonly storedRecords: ReadonlyMap<string, ObservationRecord>
}

function visiblyChangedAmong(
  computed: readonly ComputedCluster[],
  before: Before,
  { found, storedRecords }: Earlier,
): string[] {
  const stored = [...found.region].flatMap((id) => storedRecords.get(id) ?? found.observed.get(id) ?? [])
  const membersOf = Map.groupBy(stored, ({ assetId }) => assetId)
  const isVisiblyChanged = ({ row, members }: ComputedCluster): boolean => {
    const asset = before.get(row.id)
    if (!asset) return false
    return visibleState(asset, membersOf.get(row.id) ?? []) !== visibleState(row, members)
  }
  return computed.filter(isVisiblyChanged).map(({ row }) => row.id)
}

/** Tags are united; an override of a merged asset applies where the survivor has none. */
function mergeEdits(survivor: AssetEdits, merged: AssetEdits): AssetEdits {
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

interface Written extends ReclusterRequest {
  readonly touched: readonly AssignedCluster[]
  readonly computed: readonly ComputedCluster[]
  readonly assetOf: ReadonlyMap<string, string>
  readonly watched: ReadonlySet<string>
}

async function writeAll(ctx: Ctx, found: AffectedObservations, outcome: Written): Promise<void> {
  const { touched, computed, assetOf, watched, changed } = outcome
  await writeObservations(ctx, found, outcome)
  await store.writeConstraints(ctx, outcome.declared ?? [])
  const restored = touched.filter(({ origin }) => origin === 'restored').map(({ assetId }) => assetId)
  if (restored.length > 0) await assetStore.removeAliases(ctx, restored)
  const existing = new Set(
    touched.filter(({ origin }) => origin === 'existing').map(({ assetId }) => assetId),
  )
  const rows = computed.map(({ row }) => row)
  await assetStore.addAssets(
    ctx,
    rows.filter(({ id }) => !existing.has(id)),
  )
  await changeAssets(
    ctx,
    rows.filter(({ id }) => existing.has(id)),
    regroupedOf(touched, computed),
  )
  const merges = mergesOf(touched)
  if (merges.length > 0) {
    await announceMovedValues(ctx, await assetStore.moveEditsToSurvivors(ctx, merges, ctx.now()), rows)
    const gone = merges.map(({ oldId }) => oldId)
    await assetStore.removeAssets(ctx, gone)
  }
  await store.watch(
    ctx,
    [...watched].filter((id) => !assetOf.has(id) && !found.observed.get(id)?.watched),
  )
  await writeSharedValuesAndCandidates(ctx, found, { assetOf, changed })
}

async function writeObservations(ctx: Ctx, found: AffectedObservations, outcome: Written): Promise<void> {
  const { touched, assetOf, watched, changed } = outcome
  const isChanged = new Set(changed.map(({ id }) => id))
  const isDecided = new Set(touched.flatMap(({ members }) => members.map(({ id }) => id)))
  const placed = [...assetOf].flatMap(([id, assetId]): ObservationRecord[] => {
    const each = found.observed.get(id)
    if (!each) return []
    const staysWatched = each.watched && !(isDecided.has(id) && found.core.has(id))
    const observed = { ...each, assetId, watched: staysWatched || watched.has(id) }
    const same = each.assetId === assetId && each.watched === observed.watched && !isChanged.has(id)
    return same ? [] : [observed]
  })
  const isNew = (each: ObservationRecord) => found.observed.get(each.id)?.assetId === undefined
  await store.addObservations(ctx, placed.filter(isNew))
  await store.changeObservations(
    ctx,
    placed.filter((each) => !isNew(each)),
  )
  await store.replaceIdentifiers(
    ctx,
    changed.filter(({ id }) => outcome.identifiersChanged?.has(id)),
  )
}

function mergesOf(touched: readonly AssignedCluster[]): assetStore.Merge[] {
  return touched.flatMap(({ assetId, members, merged }) =>
    merged.map((oldId) => ({
      oldId,
      assetId,
      observationIds: members.filter((member) => member.assetId === oldId).map(({ id }) => id),
    })),
  )
}

async function writeSharedValuesAndCandidates(
  ctx: Ctx,
  found: AffectedObservations,
  { assetOf, changed }: Pick<Written, 'assetOf' | 'changed'>,
): Promise<void> {
  const newlyShared = [...found.newlyShared.values()].map(({ period: { type, value }, why }) => ({
    type,
    value,
    why,
  }))
  if (newlyShared.length > 0) await store.addSharedValues(ctx, newlyShared)
  const noLongerShared = [...found.noLongerShared]
    .filter(([key]) => !found.shared.has(key))
    .map(([, period]) => period)
  if (noLongerShared.length > 0) await store.removeSharedValues(ctx, noLongerShared)
  const isNew = new Set(changed.filter(({ assetId }) => assetId === undefined).map(({ id }) => id))
  await store.writeCandidates(
    ctx,
    [...found.core].filter((id) => !isNew.has(id)),
    candidatePairs(found, assetOf),
  )
}

function eventsOf(
  ctx: Ctx,
  { touched, computed, before }: Pick<Written, 'touched' | 'computed'> & { readonly before: Before },
  announceSplits: boolean,
): NewEvent[] {
  return touched.flatMap(({ assetId, origin, merged, members }, index): NewEvent[] => {
    const row = computed[index]?.row
    if (!row) return []
    if (origin !== 'existing') {
      const split = members.some((member) => member.assetId !== undefined)
      return split && !announceSplits ? [] : [newAsset(row, members)]
    }
    const stored = before.get(assetId)
    const moreConfident = confidenceChanged(stored?.confidence ?? 0, row.confidence)
    const fields = [...(moreConfident ? ['confidence'] : []), ...(merged.length > 0 ? ['merged'] : [])]
    return [
      ...(fields.length > 0 ? [updatedAsset(row, members, { fields, at: ctx.now(), before: stored })] : []),
      ...merged.map((id) =>
        deletedAsset(before.get(id) ?? { id, name: '' }, { reason: 'merged', at: ctx.now() }),
      ),
    ]
  })
}
