import type { Ctx, Happening } from '#platform/context.ts'
import { enqueueMatching } from './matching/matching.ts'
import * as statusStore from './findings/finding-status-store.ts'
import { removeDeletedAssets } from './findings/sync-findings.ts'

/** Updates findings when assets are deleted, merged or split; in the transaction of the change. */

interface EventPayload {
  readonly asset_id?: string
  readonly asset_id_a?: string
  readonly asset_id_b?: string
  readonly reason?: string
  readonly changed_fields?: readonly string[]
}

const payloadOf = ({ body }: Happening): EventPayload => JSON.parse(body.toString()) as EventPayload

/**
 * Findings of deleted assets are removed at once; merged assets are queued, and matching moves their findings to the
 * survivor.
 */
export async function onDeleted(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const events = happenings.map(payloadOf)
  const merged = events.filter(({ reason }) => reason === 'merged').flatMap(({ asset_id: id }) => id ?? [])
  const deleted = events.filter(({ reason }) => reason !== 'merged').flatMap(({ asset_id: id }) => id ?? [])
  await enqueueMatching(ctx, merged)
  if (deleted.length === 0) return
  await statusStore.lockFindings(ctx)
  await removeDeletedAssets(
    ctx,
    deleted.map((id) => ({ id, survivor: null })),
  )
}

const assetIdsOf = (happenings: readonly Happening[]): string[] =>
  happenings.flatMap(({ body }) => (JSON.parse(body.toString()) as { asset_ids: string[] }).asset_ids)

/** Their findings leave lists, counts and numbers of affected assets. */
export async function onArchived(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  await statusStore.lockFindings(ctx)
  await statusStore.setArchived(ctx, assetIdsOf(happenings), true)
}

/** Their findings come back as they were, and matching catches up with what happened meanwhile. */
export async function onRevived(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const assetIds = assetIdsOf(happenings)
  await statusStore.lockFindings(ctx)
  await statusStore.setArchived(ctx, assetIds, false)
  await enqueueMatching(ctx, assetIds)
}

/** Merges and splits move observations, and the software with them, to other assets. */
export async function onReassigned(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const events = happenings.map(payloadOf)
  const moved = events.filter((it) => it.asset_id_a !== undefined || it.changed_fields?.includes('merged'))
  await enqueueMatching(
    ctx,
    moved.flatMap(({ asset_id: id, asset_id_a: a, asset_id_b: b }) =>
      [id, a, b].filter((it) => it !== undefined),
    ),
  )
}
