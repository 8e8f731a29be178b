/** Topology: how assets hang together, as people record it and as observations report it. */
import { getAsset, lockAssets, mergedAssets } from '#features/assets/assets.ts'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { lengthOf, refuseUnprintable } from '#platform/validation/checked-name.ts'
import * as linkStore from './link-store.ts'
import { relationKinds, type AssetRelation, type RelationKind, type TopologyLink } from './relation.ts'
import * as relationStore from './relation-store.ts'

export { deriveLinks } from './derive-links.ts'

const RELATIONS_MAX = 500
export const NOTE_LENGTH_MAX = 1_000

/** What people recorded first, then what observations report; at most 500 of each. With `otherId`, to that asset alone. */
export async function relationsOf(ctx: Ctx, assetId: string, otherId?: string): Promise<AssetRelation[]> {
  const { id } = await getAsset(ctx, assetId)
  const between = { assetId: id, otherId: otherId === undefined ? null : (await getAsset(ctx, otherId)).id }
  const recorded = await relationStore.relationsOf(ctx, between, RELATIONS_MAX)
  const links = await linkStore.linksOf(ctx, between, RELATIONS_MAX)
  return [...recorded.map((it) => recordedFrom(it, id)), ...links.map((it) => linkFrom(it, id))]
}

/** All links that observations report, without those of archived assets. */
export async function listLinks(ctx: Ctx, page: Page): Promise<Listed<TopologyLink>> {
  permit(ctx, 'assets:read')
  return linkStore.links(ctx, page)
}

export interface NewRelation {
  readonly fromId: string
  readonly kind: RelationKind
  readonly toId: string
  readonly note?: string
}

export async function addRelation(
  ctx: Ctx,
  { fromId, kind, toId, note = '' }: NewRelation,
): Promise<AssetRelation> {
  permit(ctx, 'assets:write')
  if (!relationKinds.includes(kind)) throw invalid('kind', `is none of ${relationKinds.join(', ')}`)
  if (lengthOf(note) > NOTE_LENGTH_MAX)
    throw invalid('note', `must have at most ${NOTE_LENGTH_MAX} characters`)
  refuseUnprintable('note', note)
  if (fromId === toId) throw invalid('toId', 'an asset has no relation to itself')
  if (![fromId, toId].every(isUuid)) throw notFound('asset')
  return atomically(ctx, async (inner) => {
    const names = await lockAssets(inner, [fromId, toId])
    const [fromName, toName] = [names.get(fromId), names.get(toId)]
    if (fromName === undefined || toName === undefined) throw notFound('asset')
    const { actor } = inner
    const createdBy = actor.name ?? `${actor.kind} ${actor.id}`
    const createdAt = inner.now().toISOString()
    const row = { id: newUuid(inner.now()), fromId, toId, kind, note, createdBy, createdAt }
    if (!(await relationStore.add(inner, row)))
      throw conflict(`${fromName} ${kind} ${toName}: is recorded already`)
    const details = { name: fromName, kind, otherId: toId, otherName: toName, ...(note && { note }) }
    await record(inner, 'asset.related', { type: 'asset', id: fromId }, details)
    return recordedFrom({ ...row, fromName, toName }, fromId)
  })
}

export async function removeRelation(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(ctx, async (inner) => {
    const relation = isUuid(id) ? await relationStore.relation(inner, id) : undefined
    if (!relation) throw notFound('relation')
    const { fromId, fromName: name, kind, toId: otherId, toName: otherName } = relation
    await relationStore.remove(inner, id)
    await record(inner, 'asset.unrelated', { type: 'asset', id: fromId }, { name, kind, otherId, otherName })
  })
}

/** In the transaction in which assets are merged or deleted. */
export async function followAssets(
  ctx: Ctx,
  gone: { readonly merged: readonly string[]; readonly deleted: readonly string[] },
): Promise<void> {
  await linkStore.forgetAssets(ctx, [...gone.merged, ...gone.deleted])
  if (gone.deleted.length > 0) await relationStore.removeOf(ctx, gone.deleted)
  if (gone.merged.length > 0) await relationStore.moveToSurvivors(ctx, await mergedAssets(ctx, gone.merged))
}

function recordedFrom(row: relationStore.StoredRelation, assetId: string): AssetRelation {
  const isOut = row.fromId === assetId
  return {
    id: row.id,
    kind: row.kind,
    direction: isOut ? 'out' : 'in',
    otherId: isOut ? row.toId : row.fromId,
    other: isOut ? row.toName : row.fromName,
    port: '',
    otherPort: '',
    vlan: null,
    note: row.note,
    by: row.createdBy,
    observationId: null,
    sourceKind: null,
    firstSeen: row.createdAt,
    lastSeen: row.createdAt,
  }
}

function linkFrom(link: linkStore.EvidencedLink, assetId: string): AssetRelation {
  const isOut = link.aAsset === assetId
  const { kind, vlan, observationId, sourceKind, firstSeen, lastSeen } = link
  return {
    id: null,
    kind,
    direction: isOut ? 'out' : 'in',
    otherId: isOut ? link.bAsset : link.aAsset,
    other: isOut ? link.bName : link.aName,
    port: isOut ? link.aPort : link.bPort,
    otherPort: isOut ? link.bPort : link.aPort,
    vlan,
    note: '',
    by: null,
    observationId,
    sourceKind,
    firstSeen,
    lastSeen,
  }
}
