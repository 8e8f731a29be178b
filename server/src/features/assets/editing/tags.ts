import { record } from '#features/audit/audit.ts'
import { refuseUnprintable } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { assetsChanged } from '../asset-signals.ts'
import type { Asset } from '../asset.ts'
import { changeAssets } from '../asset-changes.ts'
import { assetsById, assetsInOrder, type StoredAsset } from '../asset-store.ts'
import type { TagCount } from './tag-count.ts'
import { describe, observedTags } from '../attributes/asset-values.ts'
import * as store from '../intake/observation-read-store.ts'
import { toChange } from './change-within-limit.ts'
import * as editsStore from './edits-store.ts'

/** Tags that people add and remove, on one asset or many; they take precedence over the tags of sources. */
export interface Tagging {
  readonly assetIds: readonly string[]
  readonly tags: readonly string[]
}

const TAG_LENGTH_MAX = 255
const TAGS_MAX = 100
const ASSETS_MAX = 500

/** Replaces the tags; other tags of sources are muted. */
export function setTags(ctx: Ctx, { assetIds, tags }: Tagging): Promise<Asset[]> {
  return retag(ctx, { assetIds, tags }, (_own, _muted, observed) => ({
    own: tags,
    muted: observed.filter((tag) => !tags.includes(tag)),
  }))
}

export function addTags(ctx: Ctx, { assetIds, tags }: Tagging): Promise<Asset[]> {
  return retag(ctx, { assetIds, tags }, adding(tags))
}

const adding =
  (tags: readonly string[]): Retag =>
  (own, muted) => ({ own: [...own, ...tags], muted: muted.filter((tag) => !tags.includes(tag)) })

/** The tags stay removed even if a source reports them. */
export function removeTags(ctx: Ctx, { assetIds, tags }: Tagging): Promise<Asset[]> {
  return retag(ctx, { assetIds, tags }, removing(tags))
}

const removing =
  (tags: readonly string[]): Retag =>
  (own, muted) => ({ own: own.filter((tag) => !tags.includes(tag)), muted: [...muted, ...tags] })

/** The tags in use that contain `text` (case-insensitive), most used first. */
export async function listTags(
  ctx: Ctx,
  { text = '', limit }: { text?: string; limit: number },
): Promise<TagCount[]> {
  permit(ctx, 'assets:read')
  return editsStore.tagsInUse(ctx, text, limit)
}

type Retag = (
  own: readonly string[],
  muted: readonly string[],
  observed: readonly string[],
  assetId: string,
) => { own: readonly string[]; muted: readonly string[] }

/** Runs the same number of statements whatever the number of assets. */
async function retag(ctx: Ctx, { assetIds, tags }: Tagging, change: Retag): Promise<Asset[]> {
  permit(ctx, 'assets:write')
  check(assetIds, tags)
  return atomically(await toChange(ctx, assetIds), async (inner) => {
    const { stored, retagged } = await retagStored(inner, assetIds, change)
    if (stored.length < new Set(assetIds).size) throw notFound('asset')
    const after = await assetsInOrder(inner, assetIds)
    await recordTagging(inner, stored, retagged, after)
    return after
  })
}

interface Retagged {
  readonly stored: readonly StoredAsset[]
  /** In the same order. */
  readonly retagged: readonly StoredAsset[]
}

/** Those of the assets that are there; in the caller's transaction. */
async function retagStored(ctx: Ctx, assetIds: readonly string[], change: Retag): Promise<Retagged> {
  await store.lockTenant(ctx)
  const stored = await assetsById(ctx, assetIds)
  const members = Map.groupBy(await store.observedOfAssets(ctx, assetIds), ({ assetId }) => assetId)
  const retagged = stored.map((asset): StoredAsset => {
    const observed = observedTags(members.get(asset.id) ?? [])
    const { own, muted } = change(asset.ownTags, asset.mutedTags, observed, asset.id)
    return { ...asset, ownTags: distinct(own), mutedTags: distinct(muted) }
  })
  await editsStore.writeTags(ctx, retagged)
  await changeAssets(
    ctx,
    retagged.map((asset) => describe(asset.id, members.get(asset.id) ?? [], asset).row),
  )
  await assetsChanged(
    ctx,
    stored.map(({ id }) => id),
  )
  return { stored, retagged }
}

/** Tags that people added, and tags of sources that people removed. */
export interface PeoplesTags {
  readonly own: readonly string[]
  readonly muted: readonly string[]
}

/**
 * For bulk changes, in the caller's transaction and without an audit entry: adds or removes tags of the assets that are
 * there. Returns what people had said before of those that changed.
 */
export async function retagAssets(
  ctx: Ctx,
  assetIds: readonly string[],
  { kind, tags }: { readonly kind: 'add' | 'remove'; readonly tags: readonly string[] },
): Promise<Map<string, PeoplesTags>> {
  checkTags(tags)
  return changedTags(await retagStored(ctx, assetIds, kind === 'add' ? adding(tags) : removing(tags)))
}

/** Undoes `retagAssets`. Returns what people had said before of those that changed. */
export async function restoreTags(
  ctx: Ctx,
  before: ReadonlyMap<string, PeoplesTags>,
): Promise<Map<string, PeoplesTags>> {
  const restoring: Retag = (own, muted, _observed, id) => before.get(id) ?? { own, muted }
  return changedTags(await retagStored(ctx, [...before.keys()], restoring))
}

const changedTags = ({ stored, retagged }: Retagged): Map<string, PeoplesTags> =>
  new Map(
    stored.flatMap(({ id, ownTags, mutedTags }, at) => {
      const isSame =
        JSON.stringify([ownTags, mutedTags]) ===
        JSON.stringify([retagged[at]?.ownTags, retagged[at]?.mutedTags])
      return isSame ? [] : [[id, { own: ownTags, muted: mutedTags }] as const]
    }),
  )

/** One audit entry for each call; it names all its assets. */
async function recordTagging(
  ctx: Ctx,
  before: readonly StoredAsset[],
  after: readonly StoredAsset[],
  assets: readonly Asset[],
): Promise<void> {
  const names = new Map(assets.map(({ id, name }) => [id, name]))
  const all = after.map((asset, at) => ({
    id: asset.id,
    name: names.get(asset.id) ?? '',
    before: tagsOf(before[at]),
    after: tagsOf(asset),
  }))
  const [first] = all
  if (!first) return
  const { id, ...details } = first
  await (all.length === 1
    ? record(ctx, 'asset.tagged', { type: 'asset', id }, details)
    : record(ctx, 'asset.tagged', { type: 'asset', id: '' }, { subjects: all }))
}

const tagsOf = (asset: StoredAsset | undefined) => ({ own: asset?.ownTags, muted: asset?.mutedTags })

const distinct = (tags: readonly string[]): string[] => [...new Set(tags)].toSorted()

function check(assetIds: readonly string[], tags: readonly string[]): void {
  if (assetIds.length === 0 || assetIds.length > ASSETS_MAX)
    throw invalid('assetIds', `must name 1 to ${ASSETS_MAX} assets`)
  if (!assetIds.every(isUuid)) throw notFound('asset')
  checkTags(tags)
}

/** Throws 400 for what cannot be tags. */
export function checkTags(tags: readonly string[]): void {
  if (tags.length > TAGS_MAX) throw invalid('tags', `are more than ${TAGS_MAX}`)
  for (const tag of tags) {
    if (tag.trim() === '' || tag.length > TAG_LENGTH_MAX)
      throw invalid('tags', `each must have 1 to ${TAG_LENGTH_MAX} characters`)
    refuseUnprintable('tags', tag)
  }
}
