import { lifetimeOf } from '#platform/graphql/lifetime.ts'
import {
  given,
  listArgs,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
} from '#platform/graphql/schema.ts'
import { addTypes, type PartnerTypes } from './graphql-types.ts'
import { createPartnerKey, listPartnerKeys, revokePartnerKey } from './partner-keys.ts'
import { partnerQuota, partnerRequests } from './partner-usage.ts'
import {
  createPartnerWebhook,
  deletePartnerWebhook,
  listPartnerWebhooks,
  partnerWebhookHealth,
  testPartnerWebhook,
} from './partner-webhooks.ts'
import { createPartner, deletePartner, getPartner, queryPartners, updatePartner } from './partners.ts'

export function graphql(schema: Schema): void {
  const types = addTypes(schema)
  addQueries(schema, types)
  addPartners(schema, types)
  addKeys(schema, types)
  addWebhooks(schema, types)
}

const ofPartner = (schema: Schema) => schema.args((t) => ({ partnerId: t.id({ required: true }) }))

/** A partner has at most 20 webhooks. */
const ALL_WEBHOOKS = { limit: 20, offset: 0 }

function addQueries(schema: Schema, types: PartnerTypes): void {
  const keyPage = pageType(schema, 'PartnerKeyPage', types.key)
  schema.queryFields((t) => ({
    partners: t.field({
      type: pageType(schema, 'PartnerPage', types.partner),
      description: 'Newest first unless another order is asked for.',
      args: listArgs(schema),
      complexity: perItem,
      resolve: (_, { where, sort, ...page }, ctx) =>
        queryPartners(ctx, pageFrom(page), given({ where, sort })),
    }),
    partner: t.field({
      type: types.partner,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getPartner(ctx, id),
    }),
    partnerKeys: t.field({
      type: keyPage,
      description: 'Newest first, without revoked ones.',
      args: { ...ofPartner(schema), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { partnerId, ...page }, ctx) => listPartnerKeys(ctx, partnerId, pageFrom(page)),
    }),
    partnerWebhooks: t.field({
      type: [types.webhook],
      description: 'Newest first.',
      args: ofPartner(schema),
      resolve: async (_, { partnerId }, ctx) => {
        const { items } = await listPartnerWebhooks(ctx, partnerId, ALL_WEBHOOKS)
        const health = new Map((await partnerWebhookHealth(ctx, partnerId)).map((it) => [it.endpointId, it]))
        return items.map((it) => ({ ...it, health: health.get(it.id) }))
      },
    }),
    partnerUsage: t.field({
      type: types.usage,
      args: ofPartner(schema),
      resolve: async (_, { partnerId }, ctx) => ({
        ...(await partnerQuota(ctx, partnerId)),
        days: await partnerRequests(ctx, partnerId),
      }),
    }),
  }))
}

const limits = (schema: Schema) => schema.args((t) => ({ quotaLimit: t.int(), rateLimit: t.int() }))

function addPartners(schema: Schema, { partner }: PartnerTypes): void {
  schema.mutationFields((t) => ({
    createPartner: t.field({
      type: partner,
      args: {
        name: t.arg.string({ required: true }),
        slug: t.arg.string({ required: true }),
        email: t.arg.string({ required: true }),
        ...limits(schema),
      },
      resolve: (_, { name, slug, email, ...more }, ctx) =>
        createPartner(ctx, { name, slug, email, ...given(more) }),
    }),
    updatePartner: t.field({
      type: partner,
      description: 'Arguments that are left out stay unchanged.',
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string(),
        email: t.arg.string(),
        apiEnabled: t.arg.boolean(),
        ...limits(schema),
      },
      resolve: (_, { id, ...changes }, ctx) => updatePartner(ctx, id, given(changes)),
    }),
    deletePartner: t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deletePartner(ctx, id).then(() => id),
    }),
  }))
}

function addKeys(schema: Schema, { scope, key, issued }: PartnerTypes): void {
  schema.mutationFields((t) => ({
    createPartnerKey: t.field({
      type: issued,
      args: {
        ...ofPartner(schema),
        name: t.arg.string(),
        scopes: t.arg({ type: [scope], required: true }),
        expiresInDays: t.arg.int({ description: '90 unless given.' }),
        never: t.arg.boolean({ required: true, defaultValue: false, description: 'It never expires.' }),
      },
      resolve: (_, { partnerId, name, scopes, never, expiresInDays }, ctx) => {
        const lifetime = lifetimeOf(expiresInDays, never)
        const days = lifetime === 'never' ? null : lifetime
        return createPartnerKey(ctx, partnerId, {
          scopes,
          ...given({ name }),
          ...(days !== undefined && { expiresInDays: days }),
        })
      },
    }),
    revokePartnerKey: t.field({
      type: key,
      args: { ...ofPartner(schema), id: t.arg.id({ required: true }) },
      resolve: (_, { partnerId, id }, ctx) => revokePartnerKey(ctx, partnerId, id),
    }),
  }))
}

function addWebhooks(schema: Schema, { withSecret, testResult }: PartnerTypes): void {
  schema.mutationFields((t) => ({
    createPartnerWebhook: t.field({
      type: withSecret,
      args: {
        ...ofPartner(schema),
        name: t.arg.string({ required: true }),
        url: t.arg.string({ required: true }),
        events: t.arg.stringList({ required: true }),
        secret: t.arg.string({ description: 'Generated unless given.' }),
      },
      resolve: (_, { partnerId, name, url, events, secret }, ctx) =>
        createPartnerWebhook(ctx, partnerId, { name, url, events, ...given({ secret }) }),
    }),
    deletePartnerWebhook: t.field({
      type: 'ID',
      args: { ...ofPartner(schema), id: t.arg.id({ required: true }) },
      resolve: (_, { partnerId, id }, ctx) => deletePartnerWebhook(ctx, partnerId, id).then(() => id),
    }),
    testPartnerWebhook: t.field({
      type: testResult,
      description: 'Sends one signed delivery, which is not retried.',
      args: { ...ofPartner(schema), id: t.arg.id({ required: true }) },
      resolve: (_, { partnerId, id }, ctx) => testPartnerWebhook(ctx, partnerId, id),
    }),
  }))
}
