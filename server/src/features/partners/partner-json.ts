import { eventTypes } from '#features/events/events.ts'
import type { Endpoint, EndpointWithSecret } from '#features/webhooks/webhooks.ts'
import { Type } from 'typebox'
import {
  EMAIL,
  EMAIL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  QUOTA_LIMIT,
  RATE_LIMIT,
  SLUG,
  type Partner,
} from './partner.ts'
import { EXPIRES_IN_DAYS_MAX, KEY_NAME_LENGTH_MAX, type PartnerKey } from './partner-key.ts'
import { allPartnerScopes } from './partner-scopes.ts'
import type { PartnerQuota } from './partner-usage.ts'

// The bodies and answers of the REST API. Of texts the router checks the type alone: the verb says what is wrong in words.

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })
const instantOrNull = Type.Union([instant, Type.Null()])
/** A single line with something to read in it. */
const LINE =
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$'
const line = (maxLength: number) => Type.String({ documentedAs: { pattern: LINE, maxLength } })
const scope = Type.Union(allPartnerScopes.map((it) => Type.Literal(it)))
const HEADERS_MAX = 20
const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
const HEADER_VALUE = '^(?:[!-~](?:[\\t -~]*[!-~])?)?$'
const eventType = Type.Union(eventTypes.map((it) => Type.Literal(it)))

export const NewPartnerJson = Type.Object({
  name: line(NAME_LENGTH_MAX),
  slug: Type.String({
    description: 'unique among the living partners of the tenant, compared exactly',
    documentedAs: { pattern: SLUG },
  }),
  email: Type.String({ documentedAs: { pattern: EMAIL, maxLength: EMAIL_LENGTH_MAX } }),
  quota_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: QUOTA_LIMIT.max,
      default: QUOTA_LIMIT.fallback,
      description: 'assets',
    }),
  ),
  rate_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: RATE_LIMIT.max,
      default: RATE_LIMIT.fallback,
      description: 'requests a minute, of all keys of the partner together',
    }),
  ),
})

export const PartnerJson = Type.Object({
  id: uuid,
  tenant_id: uuid,
  name: Type.String(),
  slug: Type.String(),
  email: Type.String(),
  quota_limit: Type.Integer(),
  rate_limit: Type.Integer(),
  api_enabled: Type.Boolean(),
  created_at: instant,
  updated_at: instant,
})

export const partnerToJson = (it: Partner) => ({
  id: it.id,
  tenant_id: it.tenantId,
  name: it.name,
  slug: it.slug,
  email: it.email,
  quota_limit: it.quotaLimit,
  rate_limit: it.rateLimit,
  api_enabled: it.apiEnabled,
  created_at: it.createdAt,
  updated_at: it.updatedAt,
})

export const NewKeyJson = Type.Object({
  name: Type.Optional(
    Type.String({
      documentedAs: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', maxLength: KEY_NAME_LENGTH_MAX },
    }),
  ),
  scopes: Type.Array(scope, { minItems: 1 }),
  expires_in_days: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: EXPIRES_IN_DAYS_MAX }), Type.Null()], {
      description: '90 unless given; null: never',
    }),
  ),
})

const keyFields = {
  id: uuid,
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(scope),
  created_at: instant,
  expires_at: instantOrNull,
  last_used_at: instantOrNull,
}

export const PartnerKeyJson = Type.Object(keyFields)
export const IssuedKeyJson = Type.Object({
  ...keyFields,
  api_key: Type.String({ description: 'the whole key, told this once' }),
})

export const keyToJson = (it: PartnerKey) => ({
  id: it.id,
  name: it.name,
  prefix: it.prefix,
  scopes: it.scopes,
  created_at: it.createdAt,
  expires_at: it.expiresAt,
  last_used_at: it.lastUsedAt,
})

export const NewWebhookJson = Type.Object({
  name: line(NAME_LENGTH_MAX),
  url: Type.String({ documentedAs: { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' } }),
  events: Type.Array(eventType, { minItems: 1, maxItems: 10 }),
  secret: Type.Optional(
    Type.String({
      description: 'signs the deliveries; made and told once unless given',
      documentedAs: { pattern: '^[!-~]{1,256}$' },
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'sent with each delivery: of 4,096 bytes together at most, and none that the service sets itself',
      documentedAs: {
        maxProperties: HEADERS_MAX,
        propertyNames: { pattern: HEADER_NAME },
        additionalProperties: { type: 'string', pattern: HEADER_VALUE },
      },
    }),
  ),
})

const webhookFields = {
  id: uuid,
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(eventType),
  active: Type.Boolean(),
  secret_prefix: Type.String(),
  headers: Type.Array(Type.String(), { description: 'their names' }),
  created_at: instant,
}

export const WebhookJson = Type.Object(webhookFields)
export const NewlyMadeWebhookJson = Type.Object({
  ...webhookFields,
  secret: Type.Optional(Type.String({ description: 'unless one was given: told this once' })),
})

export const webhookToJson = (it: Endpoint) => ({
  id: it.id,
  name: it.name,
  url: it.url,
  events: it.events,
  active: it.active,
  secret_prefix: it.secretPrefix,
  headers: it.headerNames,
  created_at: it.createdAt,
})

export const madeWebhookToJson = ({ endpoint, secret }: EndpointWithSecret, isGiven: boolean) => ({
  ...webhookToJson(endpoint),
  ...(!isGiven && { secret }),
})

export const QuotaJson = Type.Object({
  tenant_id: uuid,
  asset_count: Type.Integer(),
  quota_limit: Type.Integer(),
  quota_used_pct: Type.Number({ description: 'two decimals; more than 100 beyond the quota' }),
  requests_today: Type.Integer({ description: 'since 00:00 UTC, refused ones included' }),
  rate_limit: Type.Integer(),
  reset_at: Type.String({ format: 'date-time', description: 'the next 00:00 UTC' }),
})

export const quotaToJson = (it: PartnerQuota) => ({
  tenant_id: it.tenantId,
  asset_count: it.assetCount,
  quota_limit: it.quotaLimit,
  quota_used_pct: it.quotaUsedPct,
  requests_today: it.requestsToday,
  rate_limit: it.rateLimit,
  reset_at: it.resetAt,
})
