import { record } from '#features/audit/audit.ts'
import { refuseUnprintable } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Asset } from '../asset.ts'
import { assetsById, assetsInOrder, changeAssets, type StoredAsset } from '../asset-store.ts'
import type { TagCount } from './tag-count.ts'
import { describe, observedTags } from '../attributes/asset-values.ts'
import * as store from '../intake/observation-read-store.ts'
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
  return retag(ctx, { assetIds, tags }, (own, muted) => ({
    own: [...own, ...tags],
    muted: muted.filter((tag) => !tags.includes(tag)),
  }))
}

/** The tags stay removed even if a source reports them. */
export function removeTags(ctx: Ctx, { assetIds, tags }: Tagging): Promise<Asset[]> {
  return retag(ctx, { assetIds, tags }, (own, muted) => ({
    own: own.filter((tag) => !tags.includes(tag)),
    muted: [...muted, ...tags],
  }))
}

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
) => { own: readonly string[]; muted: readonly string[] }

/** Runs the same number of statements whatever the number of assets. */
async function retag(ctx: Ctx, { assetIds, tags }: Tagging, change: Retag): Promise<Asset[]> {
  permit(ctx, 'assets:write')
  check(assetIds, tags)
  return atomically(ctx, async (inner) => {
    await store.lockTenant(inner)
    const stored = await assetsById(inner, assetIds)
    if (stored.length < new Set(assetIds).size) throw notFound('asset')
    const members = Map.groupBy(await store.observedOfAssets(inner, assetIds), ({ assetId }) => assetId)
    const retagged = stored.map((asset): StoredAsset => {
      const { own, muted } = change(asset.ownTags, asset.mutedTags, observedTags(members.get(asset.id) ?? []))
      return { ...asset, ownTags: distinct(own), mutedTags: distinct(muted) }
    })
    await editsStore.writeTags(inner, retagged)
    await changeAssets(
      inner,
      retagged.map((asset) => describe(asset.id, members.get(asset.id) ?? [], asset).row),
    )
    const after = await assetsInOrder(inner, assetIds)
    await recordTagging(inner, stored, retagged, after)
    return after
  })
}

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
  if (tags.length > TAGS_MAX) throw invalid('tags', `are more than ${TAGS_MAX}`)
  for (const tag of tags) {
    if (tag.trim() === '' || tag.length > TAG_LENGTH_MAX)
      throw invalid('tags', `each must have 1 to ${TAG_LENGTH_MAX} characters`)
    refuseUnprintable('tags', tag)
  }
}
