import { eventTypes } from '#features/events/events.ts'
import { given, pageArgs, pageFrom, pageType, perItem, type Schema } from '#platform/graphql/schema.ts'
import { addTypes, type WebhookTypes } from './graphql-types.ts'
import { listHealth } from './endpoints/health.ts'
import { listReplays, replayEvents, resendDelivery } from './history/replay.ts'
import {
  createEndpoint,
  deleteEndpoint,
  explainDelivery,
  listDeliveries,
  listEndpoints,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from './webhooks.ts'

export function graphql(schema: Schema): void {
  const types = addTypes(schema)
  addQueries(schema, types)
  addEndpoints(schema, types)
  addSending(schema, types)
}

const byId = (schema: Schema) => schema.args((t) => ({ id: t.id({ required: true }) }))

function addQueries(schema: Schema, types: WebhookTypes): void {
  const page = pageType(schema, 'WebhookDeliveryPage', types.delivery)
  schema.queryFields((t) => ({
    webhooks: t.field({ type: [types.webhook], resolve: (_, __, ctx) => listEndpoints(ctx) }),
    webhookHealth: t.field({
      type: [types.health],
      description: 'One for each webhook.',
      resolve: (_, __, ctx) => listHealth(ctx),
    }),
    webhookDeliveries: t.field({
      type: page,
      description: 'Newest first; of all webhooks unless one is named.',
      args: {
        webhookId: t.arg.id(),
        status: t.arg({ type: types.status }),
        eventType: t.arg({ type: types.event }),
        since: t.arg({ type: 'DateTime' }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { webhookId, first, offset, ...filter }, ctx) =>
        listDeliveries(ctx, {
          ...given({ endpointId: webhookId, ...filter }),
          ...pageFrom({ first, offset }),
        }),
    }),
    webhookDelivery: t.field({
      type: types.explained,
      args: byId(schema),
      resolve: (_, { id }, ctx) => explainDelivery(ctx, id),
    }),
    webhookReplays: t.field({
      type: [types.replay],
      args: { webhookId: t.arg.id({ required: true }) },
      resolve: (_, { webhookId }, ctx) => listReplays(ctx, webhookId),
    }),
    eventCatalogue: t.field({ type: [types.eventKind], resolve: () => eventTypes }),
  }))
}

/** Null removes a limit; absent leaves it unchanged. */
const limits = (schema: Schema) =>
  schema.args((t) => ({ maxInFlight: t.int(), maxRate: t.float(), autoDisableDays: t.int() }))

function addEndpoints(schema: Schema, { webhook, withSecret, event }: WebhookTypes): void {
  schema.mutationFields((t) => ({
    createWebhook: t.field({
      type: withSecret,
      args: {
        name: t.arg.string({ required: true }),
        url: t.arg.string({ required: true }),
        events: t.arg({ type: [event], required: true }),
        active: t.arg.boolean({ required: true, defaultValue: true }),
        ...limits(schema),
      },
      resolve: (_, { name, url, events, active, ...more }, ctx) =>
        createEndpoint(ctx, { name, url, events, active, ...given(more) }),
    }),
    updateWebhook: t.field({
      type: webhook,
      args: {
        ...byId(schema),
        name: t.arg.string(),
        url: t.arg.string(),
        events: t.arg({ type: [event] }),
        active: t.arg.boolean(),
        ...limits(schema),
      },
      resolve: (_, { id, name, url, events, active, ...more }, ctx) =>
        updateEndpoint(ctx, id, { ...given({ name, url, events, active }), ...more } as object),
    }),
    rotateWebhookSecret: t.field({
      type: withSecret,
      description: 'The old secret is no longer used.',
      args: byId(schema),
      resolve: (_, { id }, ctx) => rotateSecret(ctx, id),
    }),
    deleteWebhook: t.field({
      type: 'ID',
      args: byId(schema),
      resolve: (_, { id }, ctx) => deleteEndpoint(ctx, id).then(() => id),
    }),
  }))
}

function addSending(schema: Schema, { testResult, delivery, replay }: WebhookTypes): void {
  schema.mutationFields((t) => ({
    testWebhook: t.field({
      type: testResult,
      description: 'One signed delivery at once; it is not retried.',
      args: byId(schema),
      resolve: (_, { id }, ctx) => testEndpoint(ctx, id),
    }),
    resendWebhookDelivery: t.field({
      type: delivery,
      description: 'A new delivery of the same event.',
      args: byId(schema),
      resolve: (_, { id }, ctx) => resendDelivery(ctx, id),
    }),
    replayWebhook: t.field({
      type: replay,
      description: 'Sends the events of a period again, including those missed while it was disabled.',
      args: {
        id: t.arg.id({ required: true }),
        since: t.arg({ type: 'DateTime', required: true }),
        until: t.arg({ type: 'DateTime' }),
        onlyMissed: t.arg.boolean({ required: true, defaultValue: true }),
      },
      resolve: (_, { id, since, until, onlyMissed }, ctx) =>
        replayEvents(ctx, { endpointId: id, since, onlyMissed, ...given({ until }) }),
    }),
  }))
}
