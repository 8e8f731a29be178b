import { storeMessage, type Message } from '#features/events/events.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { dueTopic } from '../delivery/due-topic.ts'
import * as store from './endpoint-store.ts'

/** A message to one endpoint of the tenant, delivered as events are: signed, retried, listed among its deliveries. */
export async function sendMessage(
  ctx: Ctx,
  { endpointId, ...message }: Message & { readonly endpointId: string },
): Promise<void> {
  permit(ctx, 'webhooks:write')
  await atomically(ctx, async (inner) => {
    const endpoint = isUuid(endpointId) ? await store.endpoint(inner, endpointId) : undefined
    if (!endpoint) throw notFound('webhook')
    if (!endpoint.active) throw conflict(`the webhook ${endpoint.name || endpoint.url} is off`)
    const occurredAt = await storeMessage(inner, message)
    await store.addDeliveryTo(inner, endpointId, { ...message, occurredAt })
    inner.db.afterCommit(dueTopic(inner))
  })
}
