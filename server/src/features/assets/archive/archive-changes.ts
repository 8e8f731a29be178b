import { record } from '#features/audit/audit.ts'
import { addChanges, type NewChange } from '#features/changes/changes.ts'
import { sendSignal } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { lockTenant } from '../intake/observation-read-store.ts'
import * as store from './archive-store.ts'

/** Archiving and reviving within the transactions of verbs, rules and the intake, which hold the tenant's lock. */

/** The actor, as `archivedBy` has it. */
export const byActor = ({ actor }: Ctx): string => actor.name ?? `${actor.kind} ${actor.id}`

/** In the caller's transaction; records nothing. Returns those that were living. */
export async function archiveAssets(
  ctx: Ctx,
  rows: readonly store.Archiving[],
): Promise<readonly store.ArchivedAsset[]> {
  await lockTenant(ctx)
  const archived = await store.archive(ctx, rows)
  addChanges(ctx, changesOf('asset_archived', archived))
  if (archived.length > 0)
    await sendSignal(ctx, 'assets.archived', { asset_ids: archived.map(({ id }) => id) })
  return archived
}

/** As `archiveAssets`; by a person. Returns those that were archived. */
export async function reviveAssets(ctx: Ctx, ids: readonly string[]): Promise<readonly store.RevivedAsset[]> {
  await lockTenant(ctx)
  const revived = await store.revive(ctx, ids, ctx.now())
  addChanges(ctx, changesOf('asset_revived', revived))
  if (revived.length > 0) await sendSignal(ctx, 'assets.revived', { asset_ids: revived.map(({ id }) => id) })
  return revived
}

/** Revives what a source sees again, in the transaction of the intake. */
export async function reviveSighted(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tellSighted(ctx, await store.revive(ctx, ids, null))
}

/** For assets that were revived by the statement that moved their last sighting: counts, notice and audit. */
export async function announceSighted(ctx: Ctx, revived: readonly store.RevivedAsset[]): Promise<void> {
  if (revived.length === 0) return
  await store.countRevived(ctx, revived)
  await tellSighted(ctx, revived)
}

async function tellSighted(ctx: Ctx, revived: readonly store.RevivedAsset[]): Promise<void> {
  if (revived.length === 0) return
  addChanges(ctx, changesOf('asset_revived', revived))
  await sendSignal(ctx, 'assets.revived', { asset_ids: revived.map(({ id }) => id) })
  await recordAbout(ctx, 'asset.revived', revived, { by: 'sighting' })
}

const changesOf = (kind: NewChange['kind'], assets: readonly store.ArchivedAsset[]): NewChange[] =>
  assets.map(({ id, name }) => ({ kind, assetId: id, assetName: name }))

/** One entry for one action, which names every asset that it was about. */
export async function recordAbout(
  ctx: Ctx,
  action: 'asset.archived' | 'asset.revived',
  assets: readonly store.ArchivedAsset[],
  details: { readonly by?: 'sighting' | 'rule' } = {},
): Promise<void> {
  const [first, ...others] = assets
  if (!first) return
  const subjects = assets.map(({ id, name }) => ({ id, name }))
  await (others.length === 0
    ? record(ctx, action, { type: 'asset', id: first.id }, { name: first.name, ...details })
    : record(ctx, action, { type: 'asset', id: '' }, { ...details, subjects }))
}

/** Since when and by whom the assets are archived; null: they live. */
export function archiveStates(ctx: Ctx, ids: readonly string[]): Promise<store.ArchiveState[]> {
  return store.states(ctx, ids)
}

interface SeenCluster {
  readonly assetId: string
  /** Ids of the assets that were merged into it. */
  readonly merged: readonly string[]
  /** Milliseconds since 1970. */
  readonly lastSeen: number
}

/** Archived assets that a source saw since, or that a living one was merged into. */
export function sightedAmong(
  clusters: readonly SeenCluster[],
  before: ReadonlyMap<string, { readonly archivedAt: string | null }>,
): string[] {
  return clusters.flatMap(({ assetId, merged, lastSeen }) => {
    const archivedAt = before.get(assetId)?.archivedAt
    if (!archivedAt) return []
    const isSighted = lastSeen > Date.parse(archivedAt)
    return isSighted || merged.some((id) => before.get(id)?.archivedAt === null) ? [assetId] : []
  })
}
