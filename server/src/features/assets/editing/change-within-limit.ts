import { beyondLimit, isLimited, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { assetsInOrder } from '../asset-store.ts'

/**
 * The context for a change of these assets. Of an actor who is limited to some assets it is one without the limit, for a
 * change may touch what belongs to the whole tenant: events, audit entries, counts. Throws 404 if the actor does not see
 * one of the assets.
 */
export async function toChange(ctx: Ctx, assetIds: readonly string[]): Promise<Ctx> {
  if (!isLimited(ctx)) return ctx
  const ids = new Set(assetIds)
  if (![...ids].every(isUuid) || (await assetsInOrder(ctx, [...ids])).length < ids.size)
    throw notFound('asset')
  return beyondLimit(ctx)
}
