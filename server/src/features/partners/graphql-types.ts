import type { Endpoint, EndpointHealth, EndpointWithSecret, TestResult } from '#features/webhooks/webhooks.ts'
import type { Schema } from '#platform/graphql/schema.ts'
import type { IssuedPartnerKey, PartnerKey } from './partner-key.ts'
import { allPartnerScopes, type PartnerScope } from './partner-scopes.ts'
import type { DayCount, PartnerQuota } from './partner-usage.ts'
import type { Partner } from './partner.ts'

export type PartnerTypes = ReturnType<typeof addTypes>

export function addTypes(schema: Schema) {
  return { partner: addPartner(schema), ...addKeys(schema), ...addUsage(schema), ...addWebhooks(schema) }
}

function addPartner(schema: Schema) {
  return schema.objectRef<Partner>('Partner').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      slug: t.exposeString('slug'),
      email: t.exposeString('email'),
      quotaLimit: t.exposeInt('quotaLimit', { description: 'Assets. Nothing is refused beyond it.' }),
      rateLimit: t.exposeInt('rateLimit', { description: 'Requests per minute, all keys together.' }),
      apiEnabled: t.exposeBoolean('apiEnabled', {
        description: 'If off, its keys are refused and its webhooks are paused.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })
}

/** GraphQL names cannot contain colons. */
const scopeValues = Object.fromEntries(
  allPartnerScopes.map((value) => [value.replaceAll(':', '_'), { value }]),
) as Record<string, { value: PartnerScope }>

function addKeys(schema: Schema) {
  const scope = schema.enumType('PartnerScope', { values: scopeValues })
  const key = schema.objectRef<PartnerKey>('PartnerKey').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      prefix: t.exposeString('prefix'),
      scopes: t.field({ type: [scope], resolve: ({ scopes }) => scopes }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'Null: never.' }),
      lastUsedAt: t.expose('lastUsedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Up to five minutes behind.',
      }),
    }),
  })
  const issued = schema.objectRef<IssuedPartnerKey>('IssuedPartnerKey').implement({
    fields: (t) => ({
      key: t.expose('key', { type: key }),
      secret: t.exposeString('secret', { description: 'The full key, returned only here.' }),
    }),
  })
  return { scope, key, issued }
}

function addUsage(schema: Schema) {
  const day = schema.objectRef<DayCount>('PartnerRequestsOfDay').implement({
    fields: (t) => ({
      day: t.exposeString('day', { description: 'Of UTC, as 2026-03-14.' }),
      requests: t.exposeInt('requests'),
    }),
  })
  const usage = schema.objectRef<PartnerQuota & { days: readonly DayCount[] }>('PartnerUsage').implement({
    fields: (t) => ({
      assetCount: t.exposeInt('assetCount'),
      quotaLimit: t.exposeInt('quotaLimit'),
      quotaUsedPct: t.exposeFloat('quotaUsedPct', { description: 'More than 100 beyond the quota.' }),
      overQuota: t.boolean({ resolve: ({ assetCount, quotaLimit }) => assetCount > quotaLimit }),
      requestsToday: t.exposeInt('requestsToday', { description: 'Since 00:00 UTC, refused ones included.' }),
      rateLimit: t.exposeInt('rateLimit'),
      resetAt: t.expose('resetAt', { type: 'DateTime' }),
      days: t.field({
        type: [day],
        description: 'The last 30 days, oldest first.',
        resolve: ({ days }) => days,
      }),
    }),
  })
  return { usage }
}

export interface WebhookWithHealth extends Endpoint {
  readonly health: EndpointHealth | undefined
}

function addWebhooks(schema: Schema) {
  const webhook = schema.objectRef<WebhookWithHealth>('PartnerWebhook').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      url: t.exposeString('url'),
      events: t.field({ type: ['String'], resolve: ({ events }) => events }),
      active: t.exposeBoolean('active'),
      disabledReason: t.exposeString('disabledReason', { nullable: true }),
      secretPrefix: t.exposeString('secretPrefix'),
      headerNames: t.field({ type: ['String'], resolve: ({ headerNames }) => headerNames }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      delivered: t.int({ description: 'In 24 hours.', resolve: ({ health }) => health?.delivered ?? 0 }),
      deadLetters: t.int({ description: 'In 24 hours.', resolve: ({ health }) => health?.deadLetters ?? 0 }),
      retrying: t.int({ resolve: ({ health }) => health?.retrying ?? 0 }),
      lastError: t.string({ nullable: true, resolve: ({ health }) => health?.lastError }),
    }),
  })
  const withSecret = schema.objectRef<EndpointWithSecret>('PartnerWebhookWithSecret').implement({
    fields: (t) => ({
      webhook: t.field({ type: webhook, resolve: ({ endpoint }) => ({ ...endpoint, health: undefined }) }),
      secret: t.exposeString('secret', { description: 'Returned only here.' }),
    }),
  })
  const testResult = schema.objectRef<TestResult>('PartnerWebhookTestResult').implement({
    fields: (t) => ({
      success: t.exposeBoolean('success'),
      status: t.exposeInt('status', { nullable: true }),
      ms: t.exposeInt('ms'),
      error: t.exposeString('error', { nullable: true }),
    }),
  })
  return { webhook, withSecret, testResult }
}
