import type { Ctx, Happening } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { isUuid } from '#platform/uuid.ts'
import * as store from './new-run-store.ts'

/** Asks conditions and guards of the tenant's new runs. */
export const admitRunsJob = job<Record<string, never>>('flows.admitRuns')

/**
 * Notes in the transaction of the events which flows they start. Little is done here, because a business transaction
 * waits: conditions are asked by a worker after the commit.
 */
export async function startRunsForEvents(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const wanted = await store.triggering(ctx, [...new Set(happenings.map(({ type }) => type))])
  const events = happenings.filter(({ type }) => wanted.has(type)).map(newRunOf)
  if (events.length === 0) return
  const added = await store.addForEvents(ctx, events, ctx.cause?.flowIds ?? [])
  if (added > 0) await enqueue(ctx, admitRunsJob, {})
}

function newRunOf({ eventId, type, body }: Happening): Omit<store.NewRun, 'flowId'> {
  const event = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
  return {
    id: eventId,
    cause: type,
    dedupeKey: `event:${eventId}`,
    assetId: assetOf(event),
    context: { event, steps: {} },
  }
}

/** Of a separation, the asset that stays. */
function assetOf(event: Readonly<Record<string, unknown>>): string | null {
  const id = event['asset_id'] ?? event['asset_id_a']
  return typeof id === 'string' && isUuid(id) ? id : null
}
