import type { Ctx, Happening } from '#platform/context.ts'
import { followAssets as moveAttachments } from './attachments/attachments.ts'
import { followAssets } from './records.ts'

interface EventPayload {
  readonly asset_id: string
  readonly reason?: string
}

/** Handler of DELETED_ASSET, in the transaction of the change. */
export async function onDeleted(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const events = happenings.map(({ body }) => JSON.parse(body.toString()) as EventPayload)
  const [merged, deleted] = [true, false].map((isMerged) =>
    events.filter(({ reason }) => (reason === 'merged') === isMerged).map(({ asset_id: id }) => id),
  )
  const gone = { merged: merged ?? [], deleted: deleted ?? [] }
  await followAssets(ctx, gone)
  await moveAttachments(ctx, gone)
}
