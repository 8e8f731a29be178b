/** Records: what people and imported files say about assets that no scan can see: owner, place, state, purchase. */
import {
  assetsById,
  assetsChanged,
  getAsset,
  lockAssets,
  lockSites,
  mergedAssets,
  toChange,
  updateSites,
  type Asset,
} from '#features/assets/assets.ts'
import { difference, record } from '#features/audit/audit.ts'
import { membersByEmail, userNames } from '#features/tenancy/tenancy.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { LocatedPlace } from './places/place.ts'
import { findPlaces } from './places/places.ts'
import {
  changedRecord,
  emptyRecord,
  mergedRecord,
  withValuesOf,
  type AssetRecord,
  type Origin,
  type RecordChange,
  type RecordField,
} from './values/asset-record.ts'
import { moveUses, removeUsesOf } from './entitlements/entitlement-store.ts'
import { checkedChange } from './values/record-values.ts'
import { addRecordChanges, type ChangedRecord } from './values/record-changes.ts'
import * as store from './values/record-store.ts'

export { createPlace, findPlaces, listPlaces, placesByPath } from './places/places.ts'
export { setNetworkTypes } from './places/network-types.ts'
export { listAttachments, uploadAttachment } from './attachments/attachments.ts'
export { recordFields } from './values/asset-record.ts'
export {
  assignEntitlement,
  listContracts,
  listEntitlements,
  saveContract,
  saveEntitlement,
} from './entitlements/entitlements.ts'
export { checkedChange, wrongWith } from './values/record-values.ts'

const ASSETS_MAX = 1_000

/** Records of those of the assets that have one. */
export async function recordsOf(ctx: Ctx, assetIds: readonly string[]): Promise<AssetRecord[]> {
  permit(ctx, 'assets:read')
  return store.records(ctx, assetIds.filter(isUuid))
}

export interface RecordEdit {
  readonly assetIds: readonly string[]
  /** Null or an empty text clears, absent stays. */
  readonly values: RecordChange
}

/** A record as people read it. */
export interface RecordDetail extends AssetRecord {
  /** The owner's name, where the owner is a member. */
  readonly ownerName: string | null
  /** As recorded, else by the longest network that has the asset's address. */
  readonly place: LocatedPlace | null
  readonly placeFrom: 'person' | 'import' | 'network' | null
}

/** Empty when nothing is recorded; 404 for an unknown asset. */
export async function getRecord(ctx: Ctx, assetId: string): Promise<RecordDetail> {
  const asset = await getAsset(ctx, assetId)
  const [detail] = await describe(ctx, [asset])
  if (!detail) throw notFound('asset')
  return detail
}

/** The records of the assets, in their order; four statements however many there are. */
async function describe(ctx: Ctx, assets: readonly Asset[]): Promise<RecordDetail[]> {
  const ids = assets.map(({ id }) => id)
  const records = new Map((await store.records(ctx, ids)).map((each) => [each.assetId, each]))
  const places = await findPlaces(ctx)
  const names = await userNames(
    ctx,
    [...records.values()].flatMap(({ ownerId }) => ownerId ?? []),
  )
  return assets.map(({ id, ipAddress }): RecordDetail => {
    const record = records.get(id) ?? emptyRecord(id)
    const recorded = places.byId(record.values.placeId ?? '')
    const place = recorded ?? places.byAddress(ipAddress) ?? null
    const placeFrom = recorded ? (record.origins.placeId?.source ?? null) : place && 'network'
    return { ...record, ownerName: names.get(record.ownerId ?? '') ?? null, place, placeFrom }
  })
}

/** Sets the same values on up to 1,000 assets, all or none; answers their records in the order of the ids. */
export async function setRecords(ctx: Ctx, { assetIds, values }: RecordEdit): Promise<RecordDetail[]> {
  permit(ctx, 'assets:write')
  const ids = [...new Set(assetIds)]
  if (ids.length === 0 || ids.length > ASSETS_MAX)
    throw invalid('assetIds', `must name 1 to ${ASSETS_MAX} assets`)
  if (!ids.every(isUuid)) throw notFound('asset')
  const change = checkedChange(values)
  return atomically(await toChange(ctx, ids), async (inner) => {
    if (change.placeId !== undefined) await lockSites(inner)
    const names = await lockAssets(inner, ids)
    if (names.size < ids.length) throw notFound('asset')
    const origin = originOf(inner)
    const changed = await write(
      inner,
      ids.map((assetId) => ({ assetId, change })),
      origin,
    )
    await recordChanges(inner, changed, names)
    return describe(inner, await assetsById(inner, ids))
  })
}

/**
 * For bulk changes, in the caller's transaction and without an audit entry: sets values on the assets that are there.
 * Returns the whole records before of those that changed.
 */
export async function changeRecords(
  ctx: Ctx,
  assetIds: readonly string[],
  change: RecordChange,
): Promise<Map<string, AssetRecord>> {
  if (change.placeId !== undefined) await lockSites(ctx)
  const known = await lockAssets(ctx, assetIds)
  const origin = originOf(ctx)
  const edits = [...known.keys()].map((assetId) => ({ assetId, change: checkedChange(change) }))
  const changed = await write(ctx, edits, origin)
  return new Map(changed.map(({ before }) => [before.assetId, before]))
}

/** Undoes `changeRecords` for these fields, with who said the values before and when. Returns the assets that changed. */
export async function restoreRecords(
  ctx: Ctx,
  before: readonly AssetRecord[],
  fields: readonly RecordField[],
): Promise<Map<string, AssetRecord>> {
  const earlier = new Map(before.map((each) => [each.assetId, each]))
  if (fields.includes('placeId')) await lockSites(ctx)
  const known = await lockAssets(ctx, [...earlier.keys()])
  if (known.size === 0) return new Map()
  const now = await store.lockRecords(ctx, [...known.keys()])
  const restored = now.map((each) => withValuesOf(each, earlier.get(each.assetId) ?? each, fields))
  await store.writeRecords(ctx, restored)
  await store.removeEmpty(ctx, [...known.keys()])
  if (fields.includes('placeId')) await updateSites(ctx, [...known.keys()])
  await addRecordChanges(
    ctx,
    restored.map((after, at) => ({ before: now[at] ?? after, after })),
  )
  await assetsChanged(ctx, [...known.keys()])
  return new Map(now.map((each) => [each.assetId, each]))
}

export interface ImportedRecord {
  readonly assetId: string
  readonly values: RecordChange
}

/**
 * Values from a file, at most 1,000 assets at a time, in the caller's transaction. A field that a person set stays as
 * it is. The values must have passed `wrongWith`. Answers the assets whose record changed.
 */
export async function importRecords(
  ctx: Ctx,
  name: string,
  rows: readonly ImportedRecord[],
): Promise<string[]> {
  permit(ctx, 'assets:write')
  const origin: Origin = { source: 'import', by: name, at: ctx.now().toISOString() }
  const edits = new Map(rows.map(({ assetId, values }) => [assetId, checkedChange(values)]))
  if (rows.some(({ values }) => values.placeId !== undefined)) await lockSites(ctx)
  const known = await lockAssets(ctx, [...edits.keys()])
  const all = [...edits].map(([assetId, change]) => ({ assetId, change }))
  const changed = await write(
    ctx,
    all.filter(({ assetId }) => known.has(assetId)),
    origin,
  )
  return changed.map(({ after }) => after.assetId)
}

/** Records of merged assets go to the survivors, those of deleted assets are deleted; in the transaction of the change. */
export async function followAssets(
  ctx: Ctx,
  gone: { readonly merged: readonly string[]; readonly deleted: readonly string[] },
): Promise<void> {
  if (gone.deleted.length > 0) {
    await store.removeRecords(ctx, gone.deleted)
    await removeUsesOf(ctx, gone.deleted)
  }
  if (gone.merged.length > 0) await moveUses(ctx, await mergedAssets(ctx, gone.merged))
  const moving = await store.records(ctx, gone.merged)
  if (moving.length === 0) return
  const survivorOf = await mergedAssets(
    ctx,
    moving.map(({ assetId }) => assetId),
  )
  const survivors = new Map(
    (await store.lockRecords(ctx, [...new Set(survivorOf.values())])).map((each) => [each.assetId, each]),
  )
  for (const each of moving.toSorted((a, b) => (a.assetId < b.assetId ? -1 : 1))) {
    const survivor = survivors.get(survivorOf.get(each.assetId) ?? '')
    if (survivor) survivors.set(survivor.assetId, mergedRecord(survivor, each))
  }
  await store.writeRecords(ctx, [...survivors.values()])
  await assetsChanged(ctx, [...survivors.keys()])
  await store.removeRecords(
    ctx,
    moving.map(({ assetId }) => assetId),
  )
  await updateSites(ctx, [...survivors.keys()])
}

/** Values of a field that are in use and contain `text`, the most used first. */
export async function suggestValues(
  ctx: Ctx,
  field: store.SuggestedField,
  search: { readonly text: string; readonly limit: number },
): Promise<{ value: string; assets: number }[]> {
  permit(ctx, 'assets:read')
  return store.valuesInUse(ctx, field, search)
}

const originOf = ({ actor, now }: Ctx): Origin => ({
  source: 'person',
  by: actor.name ?? `${actor.kind} ${actor.id}`,
  at: now().toISOString(),
})

interface Edit {
  readonly assetId: string
  readonly change: RecordChange
}

/** The number of statements does not depend on the number of assets. */
async function write(ctx: Ctx, edits: readonly Edit[], origin: Origin): Promise<ChangedRecord[]> {
  if (edits.length === 0) return []
  await refuseUnknownPlaces(ctx, edits)
  const changeOf = new Map(edits.map(({ assetId, change }) => [assetId, change]))
  const before = await store.lockRecords(ctx, [...changeOf.keys()])
  const members = await membersByEmail(
    ctx,
    edits.flatMap(({ change }) => (change.owner?.includes('@') ? [change.owner] : [])),
  )
  const changed = before.flatMap((each): ChangedRecord[] => {
    const after = changedRecord(each, changeOf.get(each.assetId) ?? {}, origin)
    if (!after) return []
    if (after.values.price !== null && after.values.currency === null)
      throw invalid('currency', 'must say what the price is in, such as EUR')
    const { owner } = after.values
    const ownerId =
      owner === each.values.owner ? each.ownerId : (members.get(owner?.toLowerCase() ?? '') ?? null)
    return [{ before: each, after: { ...after, ownerId } }]
  })
  await store.writeRecords(
    ctx,
    changed.map(({ after }) => after),
  )
  await store.removeEmpty(ctx, [...changeOf.keys()])
  const moved = changed.filter(({ before: was, after: is }) => was.values.placeId !== is.values.placeId)
  await updateSites(
    ctx,
    moved.map(({ after }) => after.assetId),
  )
  await addRecordChanges(ctx, changed)
  const changedIds = changed.map(({ after }) => after.assetId)
  await assetsChanged(ctx, changedIds)
  return changed
}

async function refuseUnknownPlaces(ctx: Ctx, edits: readonly Edit[]): Promise<void> {
  const ids = edits.flatMap(({ change }) => change.placeId ?? [])
  if (ids.length === 0) return
  const places = await findPlaces(ctx)
  if (ids.some((id) => !places.byId(id))) throw invalid('placeId', 'names no place')
}

/** One entry for one action, which names every asset that it was about. */
async function recordChanges(
  ctx: Ctx,
  changed: readonly ChangedRecord[],
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const subjects = changed.map(({ before, after }) => ({
    id: after.assetId,
    name: names.get(after.assetId) ?? '',
    ...difference(before.values, after.values),
  }))
  if (!subjects[0]) return
  const { id, ...details } = subjects[0]
  await (subjects.length === 1
    ? record(ctx, 'asset.recorded', { type: 'asset', id }, details)
    : record(ctx, 'asset.recorded', { type: 'asset', id: '' }, { subjects }))
}
