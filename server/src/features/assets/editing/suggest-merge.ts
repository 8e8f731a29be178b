import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { isSameUuid } from '#platform/uuid.ts'
import { byActor } from '../archive/archive-changes.ts'
import { getAsset } from '../asset-by-id.ts'
import type { IdentifierType } from '../observation.ts'
import { toChange } from './change-within-limit.ts'
import { checkReason, type MergeRequest } from './merge-and-unlink.ts'
import * as store from './merge-suggestion-store.ts'

/** More assets with the same value are no duplicates of one thing; the value says nothing. */
const OTHERS_MAX = 10

/**
 * Lists two assets as possible duplicates until they are merged or kept apart. Suggested again, the first suggestion stays.
 * Throws 409 when they are kept apart.
 */
export async function suggestMerge(ctx: Ctx, { assetIdA, assetIdB, reason }: MergeRequest): Promise<void> {
  permit(ctx, 'assets:write')
  checkReason(reason)
  if (isSameUuid(assetIdA, assetIdB)) throw invalid('assets', 'an asset cannot be merged with itself')
  await atomically(await toChange(ctx, [assetIdA, assetIdB]), async (inner) => {
    for (const id of [assetIdA, assetIdB]) await getAsset(inner, id)
    if ((await store.keptApart(inner, assetIdA, [assetIdB])).size > 0)
      throw conflict('these assets are kept apart')
    await suggest(inner, { assetIdA, assetIdB, reason })
  })
}

export interface SameValueRequest {
  readonly assetId: string
  /** Such as `serial`: other assets with the same value are suggested. */
  readonly identifier: IdentifierType
  readonly reason: string
}

/**
 * As `suggestMerge`, with each living asset that has the same value, at most ten. Those that are kept apart are left out.
 * Answers the ids of the others.
 */
export async function suggestMergeOfSame(
  ctx: Ctx,
  { assetId, identifier, reason }: SameValueRequest,
): Promise<readonly string[]> {
  permit(ctx, 'assets:write')
  checkReason(reason)
  await getAsset(ctx, assetId)
  return atomically(ctx, async (inner) => {
    const same = { assetId, type: identifier, limit: OTHERS_MAX }
    const found = await store.othersWithSame(inner, same)
    const apart = await store.keptApart(inner, assetId, found)
    const others = found.filter((id) => !apart.has(id))
    const whole = await toChange(inner, [assetId, ...others])
    for (const other of others) await suggest(whole, { assetIdA: assetId, assetIdB: other, reason })
    return others
  })
}

async function suggest(ctx: Ctx, { assetIdA, assetIdB, reason }: MergeRequest): Promise<void> {
  const suggestedBy = byActor(ctx)
  const flowId = ctx.cause?.flowIds.at(-1) ?? null
  if (!(await store.add(ctx, { assetIdA, assetIdB, reason, suggestedBy, flowId }))) return
  const { name } = await getAsset(ctx, assetIdA)
  const { name: otherName } = await getAsset(ctx, assetIdB)
  const details = { name, otherName, assetIdA, assetIdB, reason }
  await record(ctx, 'asset.merge_suggested', { type: 'asset', id: assetIdA }, details)
}
