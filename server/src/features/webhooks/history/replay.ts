import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { isDeliveryId, type Delivery } from './delivery-record.ts'
import type { Replay, ReplayRequest } from './replay-request.ts'
import * as store from './replay-store.ts'
import { auditName, type Endpoint } from '../endpoints/endpoint.ts'
import { dueTopic } from '../delivery/due-topic.ts'
import { getDelivery, getEndpoint } from '../webhooks.ts'

export const replayJob = job<{ replayId: string }>('webhooks.replay', 20)

/**
 * Creates a new delivery of the same event; the old record stays unchanged. 409 while it is pending, when the
 * endpoint is disabled, or when the event is older than the retention.
 */
export async function resendDelivery(ctx: Ctx, deliveryId: string): Promise<Delivery> {
  permit(ctx, 'webhooks:write')
  return atomically(ctx, async (ctx) => {
    if (isDeliveryId(deliveryId)) await store.lockDelivery(ctx, deliveryId)
    const { status, endpointId } = await getDelivery(ctx, deliveryId)
    if (status === 'Pending' || status === 'Processing')
      throw conflict(`the delivery is ${status}; it can be sent again when it has ended`)
    const endpoint = await activeEndpoint(ctx, endpointId)
    const id = await store.redeliver(ctx, deliveryId)
    if (id === undefined) throw conflict('the event is kept no longer')
    await record(
      ctx,
      'webhook.delivery_resent',
      { type: 'webhook', id: endpointId },
      {
        ...auditName(endpoint),
        deliveryId,
        as: id,
      },
    )
    ctx.db.afterCommit(dueTopic(ctx))
    return getDelivery(ctx, id)
  })
}

/**
 * Orders deliveries of past events of the endpoint's current event types, including events from before it existed or
 * while it was disabled. A job creates them; it continues after a crash. Refuses `since` in the future and `until`
 * before `since`.
 */
export async function replayEvents(ctx: Ctx, request: ReplayRequest): Promise<Replay> {
  permit(ctx, 'webhooks:write')
  if (Date.parse(request.since) > ctx.now().getTime()) throw invalid('since', 'must not be in the future')
  if (request.until !== undefined && request.until <= request.since)
    throw invalid('until', 'must be later than since')
  return atomically(ctx, async (ctx) => {
    const endpoint = await activeEndpoint(ctx, request.endpointId)
    const replay = await store.addReplay(ctx, randomUUID(), request)
    await enqueue(ctx, replayJob, { replayId: replay.id })
    const { id, since, until, onlyMissed } = replay
    await record(
      ctx,
      'webhook.replay_ordered',
      { type: 'webhook', id: request.endpointId },
      { ...auditName(endpoint), replayId: id, since, until, onlyMissed },
    )
    return replay
  })
}

/** Newest first. */
export async function listReplays(ctx: Ctx, endpointId: string): Promise<Replay[]> {
  permit(ctx, 'webhooks:read')
  await getEndpoint(ctx, endpointId)
  return store.replays(ctx, endpointId)
}

const REST_MS = 1_000

/** Safe to repeat and to run concurrently: cursor and deliveries are written in one transaction. */
export async function runReplay(
  ctx: Ctx,
  { replayId }: { replayId: string },
  signal: AbortSignal,
): Promise<void> {
  while (!(await store.hasFullBacklog(ctx, replayId))) {
    signal.throwIfAborted()
    const step = await store.replayNextChunk(ctx, replayId)
    if (step && step.added > 0) ctx.db.afterCommit(dueTopic(ctx))
    if (!step || step.isDone) return
    await sleep(0)
  }
  await enqueue(ctx, replayJob, { replayId }, new Date(ctx.now().getTime() + REST_MS))
}

/** Refuses disabled endpoints (409): they get no deliveries. */
async function activeEndpoint(ctx: Ctx, endpointId: string): Promise<Endpoint> {
  const endpoint = await getEndpoint(ctx, endpointId)
  if (!endpoint.active) throw conflict('the webhook is disabled; activate it first')
  return endpoint
}
