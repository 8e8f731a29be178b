import type { Ctx, Happening } from '#platform/context.ts'
import { isUuid } from '#platform/uuid.ts'
import { TRIGGERS } from './subscribers.ts'
import { wantAdmission } from './admission-job.ts'
import { noteChangedAssets } from './changed-assets.ts'
import * as store from './new-run-store.ts'

/**
 * Notes in the transaction of the events which flows they start. Little is done here, because a business transaction
 * waits: conditions are asked by a worker after the commit.
 */
export async function startRunsForEvents(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const wanted = happenings.filter(({ subscribers }) => subscribers?.includes(TRIGGERS))
  if (wanted.length === 0) return
  const events = wanted.map(newRunOf)
  if (await store.addForEvents(ctx, events, ctx.cause)) await wantAdmission(ctx)
}

/** Query triggers are asked again about assets of which something that conditions read may have changed. */
export async function noteMovedAssets(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  await noteChangedAssets(
    ctx,
    happenings.flatMap((it) => payloadOf(it)['asset_ids'] as string[]),
  )
}

const payloadOf = ({ body }: Happening) => JSON.parse(body.toString()) as Readonly<Record<string, unknown>>

function newRunOf(happening: Happening): store.NewRunOfEvent {
  const { eventId, type, before } = happening
  const event = payloadOf(happening)
  return {
    id: eventId,
    cause: type,
    dedupeKey: `event:${eventId}`,
    assetId: assetOf(event),
    // runs that begin together are announced together
    ...(type === 'FLOW_TRIGGERED' && { causeRun: event['execution_id'] as string }),
    context: { event, steps: {}, ...(before && { before }) },
  }
}

/** Of a separation, the asset that stays. */
export function assetOf(event: Readonly<Record<string, unknown>>): string | null {
  const id = event['asset_id'] ?? event['asset_id_a']
  return typeof id === 'string' && isUuid(id) ? id : null
}
