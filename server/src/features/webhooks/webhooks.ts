/** Webhooks: signed HTTP notifications of events, to receivers that tenants register. */
import { difference, record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx, type NewHappening } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { Listed } from '#platform/http/paging.ts'
import { newSecret } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import { addClaimedDeliveries } from './delivery/claimed-inserts/claimed-insert-store.ts'
import { dueTopic } from './delivery/due-topic.ts'
import { promiseFor } from './delivery/claimed-inserts/local-worker.ts'
import {
  isDeliveryId,
  type Attempt,
  type Delivery,
  type DeliveryFilter,
  type Missed,
} from './history/delivery-record.ts'
import {
  addEndpoint,
  sealedHeaders,
  sealedSecret,
  type EndpointWithSecret,
} from './endpoints/add-endpoint.ts'
import {
  auditName,
  parseChanges,
  type Endpoint,
  type EndpointChanges,
  type EndpointFields,
  type NewEndpoint,
} from './endpoints/endpoint.ts'
import * as records from './history/delivery-record-store.ts'
import * as store from './endpoints/endpoint-store.ts'
import { parseReceiverUrl, refuseUnreachable } from './endpoints/receiver-url.ts'

import { sendTest, type TestResult } from './endpoints/test-delivery.ts'

export type { Endpoint, NewEndpoint } from './endpoints/endpoint.ts'
export type { EndpointHealth } from './endpoints/endpoint-health.ts'
export type { EndpointWithSecret } from './endpoints/add-endpoint.ts'
export { sendMessage } from './endpoints/send-message.ts'
export type { TestResult } from './endpoints/test-delivery.ts'
export { parseReceiverUrl, refuseUnreachable } from './endpoints/receiver-url.ts'
export { listHealth } from './endpoints/health.ts'
export { failureOf, send as sendSigned } from './delivery/attempt.ts'
export {
  createPartnerEndpoint,
  deletePartnerEndpoint,
  deletePartnerEndpoints,
  listPartnerEndpoints,
  partnerEndpointHealth,
  pausePartnerEndpoints,
  resumePartnerEndpoints,
  testPartnerEndpoint,
} from './endpoints/partner-endpoints.ts'

export async function listEndpoints(ctx: Ctx): Promise<Endpoint[]> {
  permit(ctx, 'webhooks:read')
  return store.endpoints(ctx)
}

export async function createEndpoint(ctx: Ctx, input: NewEndpoint): Promise<EndpointWithSecret> {
  permit(ctx, 'webhooks:write')
  const { endpoints: max } = ctx.limits
  const tooMany = `a tenant may have ${max} webhooks; the operator can allow more with WEBHOOKS_PER_TENANT`
  return addEndpoint(ctx, input, { max, tooMany })
}

export async function updateEndpoint(ctx: Ctx, id: string, changes: EndpointChanges): Promise<Endpoint> {
  permit(ctx, 'webhooks:write')
  const { headers, ...rest } = parseChanges(changes)
  const url = changes.url === undefined ? undefined : parseReceiverUrl(changes.url)
  const fields = { ...rest, ...(url && { url: url.href }) }
  if (url) await refuseUnreachable(ctx, url)
  return atomically(ctx, async (ctx) => {
    const edit = { ...fields, ...(headers && { headers: sealedHeaders(ctx, id, headers) }) }
    const before = found(isUuid(id) ? await store.endpoint(ctx, id) : undefined)
    const endpoint = found(await store.changeEndpoint(ctx, id, edit))
    await record(ctx, 'webhook.updated', subject(id), {
      ...auditName(endpoint),
      ...difference(settingsOf(before), settingsOf(endpoint)),
      ...(headers && { headers: Object.keys(headers) }),
    })
    ctx.db.afterCommit(dueTopic(ctx))
    return endpoint
  })
}

const settingsOf = ({ name, url, events, active, ...it }: Endpoint): EndpointFields => ({
  name,
  url,
  events,
  active,
  maxInFlight: it.maxInFlight,
  maxRate: it.maxRate,
  autoDisableDays: it.autoDisableDays,
})

/** The old secret is no longer used, not even for retries of earlier events. */
export async function rotateSecret(ctx: Ctx, id: string): Promise<EndpointWithSecret> {
  permit(ctx, 'webhooks:write')
  return atomically(ctx, async (ctx) => {
    const secret = newSecret()
    const endpoint = found(
      isUuid(id) ? await store.changeSecret(ctx, id, sealedSecret(ctx, id, secret)) : undefined,
    )
    await record(ctx, 'webhook.secret_rotated', subject(id), auditName(endpoint))
    return { endpoint, secret }
  })
}

/** Sends one signed test delivery immediately, also to an inactive endpoint; it is not retried and not recorded. */
export async function testEndpoint(ctx: Ctx, id: string): Promise<TestResult> {
  permit(ctx, 'webhooks:write')
  await getEndpoint(ctx, id)
  return sendTest(ctx, id)
}

export async function deleteEndpoint(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'webhooks:write')
  await atomically(ctx, async (ctx) => {
    const before = found(isUuid(id) ? await store.endpoint(ctx, id) : undefined)
    if (!(await store.removeEndpoint(ctx, id))) throw notFound(WEBHOOK)
    await record(ctx, 'webhook.deleted', subject(id), auditName(before))
  })
}

/** Newest first. */
export async function listDeliveries(ctx: Ctx, filter: DeliveryFilter): Promise<Listed<Delivery>> {
  permit(ctx, 'webhooks:read')
  if (filter.endpointId !== undefined) await getEndpoint(ctx, filter.endpointId)
  return records.deliveries(ctx, filter)
}

/** Events of periods in which endpoints were disabled, newest first, within the retention of events. */
export async function listMissed(ctx: Ctx, filter: Omit<DeliveryFilter, 'status'>): Promise<Listed<Missed>> {
  permit(ctx, 'webhooks:read')
  if (filter.endpointId !== undefined) await getEndpoint(ctx, filter.endpointId)
  return records.missed(ctx, filter)
}

/** A delivery and its attempts, oldest first. */
export async function explainDelivery(
  ctx: Ctx,
  id: string,
): Promise<{ readonly delivery: Delivery; readonly attempts: readonly Attempt[] }> {
  permit(ctx, 'webhooks:read')
  const delivery = await getDelivery(ctx, id)
  const attempts = await records.attempts(ctx, id)
  return {
    delivery,
    attempts: attempts.map((it) => ({ ...it, excerpt: it.excerpt && it.excerpt.toString('utf8') })),
  }
}

/** The tenant of an endpoint, for commands that are given only the id. */
export async function tenantOfEndpoint(system: Ctx, id: string): Promise<string> {
  return found(isUuid(id) ? await store.tenantOf(system, id) : undefined)
}

export async function tenantOfDelivery(system: Ctx, id: string): Promise<string> {
  return found(isDeliveryId(id) ? await records.tenantOf(system, id) : undefined, 'delivery')
}

/**
 * Creates one delivery for each subscribed endpoint, so that a failing receiver does not delay others. What the worker of
 * this process has a promise for is its own at once, and nobody has to look for it.
 */
export async function fanOut(ctx: Ctx, happenings: readonly NewHappening[]): Promise<void> {
  const promise = promiseFor(ctx, happenings.length)
  const mustTell = promise
    ? await addClaimedDeliveries(ctx, happenings, promise)
    : (await store.addDeliveries(ctx, happenings)) > 0
  if (mustTell) ctx.db.afterCommit(dueTopic(ctx))
}

const WEBHOOK = 'webhook'
const subject = (id: string) => ({ type: WEBHOOK, id })

export async function getEndpoint(ctx: Ctx, id: string): Promise<Endpoint> {
  return found(isUuid(id) ? await store.endpoint(ctx, id) : undefined)
}

export async function getDelivery(ctx: Ctx, id: string): Promise<Delivery> {
  return found(isDeliveryId(id) ? await records.delivery(ctx, id) : undefined, 'delivery')
}

function found<T>(it: T | undefined, what = WEBHOOK): T {
  if (it === undefined) throw notFound(what)
  return it
}
