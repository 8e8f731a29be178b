import {
  createPartnerEndpoint,
  deletePartnerEndpoint,
  listPartnerEndpoints,
  partnerEndpointHealth,
  testPartnerEndpoint,
  type Endpoint,
  type EndpointHealth,
  type EndpointWithSecret,
  type NewEndpoint,
  type TestResult,
} from '#features/webhooks/webhooks.ts'
import { permit, type Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { findPartner, holdPartner } from './partner-access.ts'

export type NewPartnerWebhook = Pick<NewEndpoint, 'name' | 'url' | 'events' | 'secret' | 'headers'>

/** Events of the owning tenant are delivered to it, signed with the secret that is answered here once. */
export async function createPartnerWebhook(
  ctx: Ctx,
  partnerId: string,
  input: NewPartnerWebhook,
): Promise<EndpointWithSecret> {
  permit(ctx, 'partners:write')
  const { id } = await findPartner(ctx, partnerId)
  return createPartnerEndpoint(ctx, id, input, (inner) => holdPartner(inner, id))
}

/** Newest first. */
export async function listPartnerWebhooks(
  ctx: Ctx,
  partnerId: string,
  page: Page,
): Promise<Listed<Endpoint>> {
  permit(ctx, 'partners:read')
  const { id } = await findPartner(ctx, partnerId)
  return listPartnerEndpoints(ctx, id, page)
}

/** One for each webhook, over the last day. */
export async function partnerWebhookHealth(ctx: Ctx, partnerId: string): Promise<EndpointHealth[]> {
  permit(ctx, 'partners:read')
  const { id } = await findPartner(ctx, partnerId)
  return partnerEndpointHealth(ctx, id)
}

export async function deletePartnerWebhook(ctx: Ctx, partnerId: string, webhookId: string): Promise<void> {
  permit(ctx, 'partners:write')
  const { id } = await findPartner(ctx, partnerId)
  await deletePartnerEndpoint(ctx, id, webhookId)
}

/** One signed delivery at once; it is not retried. */
export async function testPartnerWebhook(
  ctx: Ctx,
  partnerId: string,
  webhookId: string,
): Promise<TestResult> {
  permit(ctx, 'partners:write')
  const { id } = await findPartner(ctx, partnerId)
  return testPartnerEndpoint(ctx, id, webhookId)
}
