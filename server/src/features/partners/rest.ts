import { Type } from 'typebox'
import type { Ctx } from '#platform/context.ts'
import {
  countedListOf,
  countedListReply,
  pageQuery,
  pageQueryWithin,
  parsePage,
} from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { createPartnerKey, listPartnerKeys, revokePartnerKey } from './partner-keys.ts'
import {
  IssuedKeyJson,
  keyToJson,
  madeWebhookToJson,
  NewKeyJson,
  NewlyMadeWebhookJson,
  NewPartnerJson,
  NewWebhookJson,
  PartnerJson,
  PartnerKeyJson,
  partnerToJson,
  QuotaJson,
  quotaToJson,
  WebhookJson,
  webhookToJson,
} from './partner-json.ts'
import { partnerQuota } from './partner-usage.ts'
import { createPartnerWebhook, deletePartnerWebhook, listPartnerWebhooks } from './partner-webhooks.ts'
import { createPartner, deletePartner, getPartner, listPartners } from './partners.ts'

const PARTNER_LIMITS = { fallback: 20, max: 100 }

const Message = Type.Object({ message: Type.String() })

type Params = Readonly<Record<string, string>>
const idIn = (params: Params): string => params['id'] ?? ''
const findPartnerFirst = (ctx: Ctx, params: Params) => getPartner(ctx, idIn(params))

const ofPartners: readonly Route[] = [
  route(
    'POST',
    '/partners',
    {
      summary: 'Creates a partner owned by the tenant.',
      body: NewPartnerJson,
      status: 201,
      takesIdempotencyKey: true,
      reply: PartnerJson,
    },
    async (ctx, { body: { name, slug, email, quota_limit: quotaLimit, rate_limit: rateLimit } }) => {
      const limits = {
        ...(quotaLimit !== undefined && { quotaLimit }),
        ...(rateLimit !== undefined && { rateLimit }),
      }
      return { json: partnerToJson(await createPartner(ctx, { name, slug, email, ...limits })) }
    },
  ),
  route(
    'GET',
    '/partners',
    {
      summary: 'Lists the partners of the tenant, newest first.',
      query: Type.Object(pageQueryWithin(PARTNER_LIMITS)),
      reply: countedListOf(PartnerJson),
    },
    async (ctx, { query }) => {
      const page = parsePage(query, PARTNER_LIMITS)
      return countedListReply(page, await listPartners(ctx, page), partnerToJson)
    },
  ),
  route(
    'GET',
    '/partners/:id',
    { summary: 'Tells of a partner.', confinedScope: 'partner:read', reply: PartnerJson },
    async (ctx, { params }) => ({ json: partnerToJson(await getPartner(ctx, idIn(params))) }),
  ),
  route(
    'DELETE',
    '/partners/:id',
    { summary: 'Deletes a partner, with its keys and webhooks.', reply: Message },
    async (ctx, { params }) => {
      await deletePartner(ctx, idIn(params))
      return { json: { message: 'partner deleted' } }
    },
  ),
  route(
    'GET',
    '/partners/:id/quota/:tenantId',
    {
      summary: 'Tells how far a partner has used what it may; of its own tenant alone.',
      confinedScope: 'partner:read',
      reply: QuotaJson,
    },
    async (ctx, { params }) => ({
      json: quotaToJson(await partnerQuota(ctx, idIn(params), params['tenantId'] ?? '')),
    }),
  ),
]

const ofKeys: readonly Route[] = [
  route(
    'POST',
    '/partners/:id/keys',
    {
      summary: 'Issues a key of a partner and tells it once. A partner key issues no scope that it lacks.',
      confinedScope: 'partner:write',
      findFirst: findPartnerFirst,
      body: NewKeyJson,
      status: 201,
      reply: IssuedKeyJson,
    },
    async (ctx, { params, body: { name, scopes, expires_in_days: expiresInDays } }) => {
      const { key, secret } = await createPartnerKey(ctx, idIn(params), {
        scopes,
        ...(name !== undefined && { name }),
        ...(expiresInDays !== undefined && { expiresInDays }),
      })
      return { json: { ...keyToJson(key), api_key: secret } }
    },
  ),
  route(
    'GET',
    '/partners/:id/keys',
    {
      summary: 'Lists the keys of a partner, newest first, without revoked ones.',
      confinedScope: 'partner:read',
      query: Type.Object(pageQuery),
      reply: countedListOf(PartnerKeyJson),
    },
    async (ctx, { params, query }) => {
      const page = parsePage(query)
      return countedListReply(page, await listPartnerKeys(ctx, idIn(params), page), keyToJson)
    },
  ),
  route(
    'DELETE',
    '/partners/:id/keys/:keyId',
    {
      summary: 'Revokes a key of a partner; it is refused from the next request on.',
      confinedScope: 'partner:write',
      reply: Message,
    },
    async (ctx, { params }) => {
      await revokePartnerKey(ctx, idIn(params), params['keyId'] ?? '')
      return { json: { message: 'key revoked' } }
    },
  ),
]

const ofWebhooks: readonly Route[] = [
  route(
    'POST',
    '/partners/:id/webhooks',
    {
      summary: 'Registers a webhook of a partner, which receives events of the owning tenant.',
      confinedScope: 'webhook:write',
      findFirst: findPartnerFirst,
      body: NewWebhookJson,
      status: 201,
      reply: NewlyMadeWebhookJson,
    },
    async (ctx, { params, body: { name, url, events, secret, headers } }) => {
      const made = await createPartnerWebhook(ctx, idIn(params), {
        name,
        url,
        events,
        ...(secret !== undefined && { secret }),
        ...(headers !== undefined && { headers }),
      })
      return { json: madeWebhookToJson(made, secret !== undefined) }
    },
  ),
  route(
    'GET',
    '/partners/:id/webhooks',
    {
      summary: 'Lists the webhooks of a partner, newest first.',
      confinedScope: 'webhook:read',
      query: Type.Object(pageQuery),
      reply: countedListOf(WebhookJson),
    },
    async (ctx, { params, query }) => {
      const page = parsePage(query)
      return countedListReply(page, await listPartnerWebhooks(ctx, idIn(params), page), webhookToJson)
    },
  ),
  route(
    'DELETE',
    '/partners/:id/webhooks/:webhookId',
    {
      summary: 'Deletes a webhook of a partner, and what waits to be delivered to it.',
      confinedScope: 'webhook:write',
      reply: Message,
    },
    async (ctx, { params }) => {
      await deletePartnerWebhook(ctx, idIn(params), params['webhookId'] ?? '')
      return { json: { message: 'webhook deleted' } }
    },
  ),
]

/** Below /partners, for API keys with the scope admin and, where a route says so, for keys of the partner itself. */
export const rest: readonly Route[] = [...ofPartners, ...ofKeys, ...ofWebhooks]
