import type { Ctx, Happening } from '#platform/context.ts'
import { followAssets } from './touches/touches.ts'

interface EventPayload {
  readonly asset_id: string
  readonly reason?: string
}

/** Handler of DELETED_ASSET, in the transaction of the change. */
export async function onDeleted(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const events = happenings.map(({ body }) => JSON.parse(body.toString()) as EventPayload)
  const idsOf = (isMerged: boolean) =>
    events.filter(({ reason }) => (reason === 'merged') === isMerged).map(({ asset_id: id }) => id)
  await followAssets(ctx, { merged: idsOf(true), deleted: idsOf(false) })
}
