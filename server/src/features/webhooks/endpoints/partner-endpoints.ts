import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import { dueTopic } from '../delivery/due-topic.ts'
import { addEndpoint, type EndpointWithSecret } from './add-endpoint.ts'
import { auditName, type Endpoint, type NewEndpoint } from './endpoint.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import * as store from './endpoint-store.ts'
import * as healthStore from './health-store.ts'
import { sendTest, type TestResult } from './test-delivery.ts'

// Endpoints of partners are delivered to as the tenant's own are, and stand in none of its lists. These functions are
// called by the feature of partners, which asks for the permission.

const ENDPOINTS_MAX = 20
/** Length of a secret that a partner brings, in characters. */
const SECRET_LENGTH = { min: 1, max: 256 }
const HEALTH_HOURS = 24

/** The whole list of one partner has at most so many. */
const ALL: Page = { limit: ENDPOINTS_MAX, offset: 0 }

export function createPartnerEndpoint(
  ctx: Ctx,
  partnerId: string,
  input: NewEndpoint,
  first: (ctx: Ctx) => Promise<unknown>,
): Promise<EndpointWithSecret> {
  return addEndpoint(ctx, input, {
    partnerId,
    secretLength: SECRET_LENGTH,
    max: ENDPOINTS_MAX,
    tooMany: `a partner may have ${ENDPOINTS_MAX} webhooks`,
    first,
  })
}

/** Newest first. */
export function listPartnerEndpoints(ctx: Ctx, partnerId: string, page: Page): Promise<Listed<Endpoint>> {
  return store.endpointsOfPartner(ctx, partnerId, page)
}

/** One for each endpoint of the partner, over the last day. */
export function partnerEndpointHealth(ctx: Ctx, partnerId: string): Promise<EndpointHealth[]> {
  return healthStore.health(ctx, HEALTH_HOURS, partnerId)
}

export async function deletePartnerEndpoint(ctx: Ctx, partnerId: string, id: string): Promise<void> {
  await atomically(ctx, async (ctx) => {
    const endpoint = isUuid(id) ? await store.endpoint(ctx, id, partnerId) : undefined
    if (!endpoint || !(await store.removeEndpoint(ctx, id, partnerId))) throw notFound('webhook')
    const details = { ...auditName(endpoint), partnerId }
    await record(ctx, 'webhook.deleted', { type: 'webhook', id }, details)
  })
}

/** All of them, in the caller's transaction, with what waits to be delivered. */
export async function deletePartnerEndpoints(ctx: Ctx, partnerId: string): Promise<void> {
  const { items } = await store.endpointsOfPartner(ctx, partnerId, ALL)
  for (const { id } of items) await deletePartnerEndpoint(ctx, partnerId, id)
}

/**
 * Pauses the endpoints of a partner, or sends on what was paused so: deliveries that wait are set aside meanwhile, and
 * an endpoint that was disabled for another reason stays so. In the caller's transaction.
 */
export async function pausePartnerEndpoints(ctx: Ctx, partnerId: string, reason: string): Promise<void> {
  await switchAll(ctx, partnerId, { active: false, reason }, ({ active }) => active)
}

export async function resumePartnerEndpoints(ctx: Ctx, partnerId: string, reason: string): Promise<void> {
  await switchAll(ctx, partnerId, { active: true, reason: null }, (it) => it.disabledReason === reason)
  ctx.db.afterCommit(dueTopic(ctx))
}

async function switchAll(
  ctx: Ctx,
  partnerId: string,
  to: { readonly active: boolean; readonly reason: string | null },
  isMeant: (endpoint: Endpoint) => boolean,
): Promise<void> {
  const { items } = await store.endpointsOfPartner(ctx, partnerId, ALL)
  for (const { id } of items.filter(isMeant))
    await store.setEndpointActive(ctx, id, { ...to, owner: partnerId })
}

/** Sends also to an endpoint that is not active. */
export async function testPartnerEndpoint(ctx: Ctx, partnerId: string, id: string): Promise<TestResult> {
  if (!isUuid(id)) throw notFound('webhook')
  return sendTest(ctx, id, partnerId)
}
