import { catalogue, eventTypes, type EventType } from '#features/events/events.ts'
import type { EnumOf, Schema } from '#platform/graphql/schema.ts'
import type { Attempt, Delivery, DeliveryStatus } from './history/delivery-record.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import type { EndpointHealth } from './endpoints/endpoint-health.ts'
import type { Replay } from './history/replay-request.ts'
import type { EndpointWithSecret, TestResult } from './webhooks.ts'

export type WebhookTypes = ReturnType<typeof addTypes>

export function addTypes(schema: Schema) {
  const event = schema.enumType('EventType', {
    values: {
      ...(Object.fromEntries(eventTypes.map((it) => [it, { value: it }])) as Record<
        EventType,
        { value: EventType }
      >),
      FLOW_MESSAGE: {
        value: 'flow.message' as EventType,
        description:
          'Of deliveries alone: what a step of a flow sent to this webhook. Nobody subscribes to it.',
      },
    },
  })
  const status = schema.enumType('DeliveryStatus', { values: statusValues })
  const webhook = addWebhook(schema, event)
  return {
    event,
    status,
    webhook,
    withSecret: schema.objectRef<EndpointWithSecret>('WebhookWithSecret').implement({
      fields: (t) => ({
        webhook: t.expose('endpoint', { type: webhook }),
        secret: t.exposeString('secret', { description: 'Shown this once.' }),
      }),
    }),
    testResult: schema.objectRef<TestResult>('WebhookTestResult').implement({
      fields: (t) => ({
        success: t.exposeBoolean('success'),
        status: t.exposeInt('status', { nullable: true, description: 'Of the answer, if there was one.' }),
        ms: t.exposeInt('ms'),
        error: t.exposeString('error', { nullable: true }),
      }),
    }),
    replay: addReplay(schema),
    health: addHealth(schema),
    eventKind: addEventKind(schema, event),
    ...addDeliveries(schema, event, status),
  }
}

/** GraphQL names cannot contain spaces. */
const statusValues = {
  pending: { value: 'Pending' },
  processing: { value: 'Processing' },
  failed: { value: 'Failed' },
  delivered: { value: 'Delivered' },
  dead_letter: { value: 'Dead letter' },
} as const

function addWebhook(schema: Schema, event: EnumOf<EventType>) {
  return schema.objectRef<Endpoint>('Webhook').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      url: t.exposeString('url'),
      events: t.field({ type: [event], resolve: ({ events }) => events }),
      active: t.exposeBoolean('active'),
      disabledReason: t.exposeString('disabledReason', {
        nullable: true,
        description: 'Set when it was disabled automatically.',
      }),
      secretPrefix: t.exposeString('secretPrefix'),
      headerNames: t.field({ type: ['String'], resolve: ({ headerNames }) => headerNames }),
      maxInFlight: t.exposeInt('maxInFlight', {
        nullable: true,
        description: 'Maximum number of concurrent deliveries.',
      }),
      maxRate: t.exposeFloat('maxRate', { nullable: true, description: 'Maximum attempts per second.' }),
      autoDisableDays: t.exposeInt('autoDisableDays', {
        nullable: true,
        description: 'Days without a success after which it is disabled.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })
}

function addDeliveries(schema: Schema, event: EnumOf<EventType>, status: EnumOf<DeliveryStatus>) {
  const delivery = schema.objectRef<Delivery>('WebhookDelivery').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      webhookId: t.exposeID('endpointId'),
      eventId: t.exposeID('eventId'),
      eventType: t.field({ type: event, resolve: (it) => it.eventType as EventType }),
      status: t.expose('status', { type: status }),
      attempts: t.exposeInt('attempts', { description: 'Attempts that have ended.' }),
      payload: t.expose('payload', {
        type: 'JSON',
        nullable: true,
        description: 'Null when the event is older than the retention.',
      }),
      lastError: t.exposeString('lastError', { nullable: true }),
      replayOf: t.exposeID('replayOf', {
        nullable: true,
        description: 'The delivery that was resent.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  })
  const attempt = schema.objectRef<Attempt>('WebhookAttempt').implement({
    fields: (t) => ({
      n: t.exposeInt('n'),
      startedAt: t.expose('startedAt', { type: 'DateTime' }),
      ms: t.exposeInt('ms', { nullable: true }),
      phase: t.exposeString('phase', { nullable: true, description: 'The last phase reached.' }),
      status: t.exposeInt('status', { nullable: true, description: 'Of the answer.' }),
      fault: t.exposeString('fault', { nullable: true, description: 'Why there was no answer.' }),
      excerpt: t.exposeString('excerpt', {
        nullable: true,
        description: 'First bytes of the response body.',
      }),
    }),
  })
  const explained = schema
    .objectRef<{ delivery: Delivery; attempts: readonly Attempt[] }>('WebhookDeliveryDetail')
    .implement({
      fields: (t) => ({
        delivery: t.expose('delivery', { type: delivery }),
        attempts: t.field({ type: [attempt], description: 'Oldest first.', resolve: (it) => it.attempts }),
      }),
    })
  return { delivery, explained }
}

const addHealth = (schema: Schema) =>
  schema.objectRef<EndpointHealth>('WebhookHealth').implement({
    description: 'Delivery statistics of one webhook, over the last day.',
    fields: (t) => ({
      webhookId: t.exposeID('endpointId'),
      delivered: t.exposeInt('delivered'),
      deadLetters: t.exposeInt('deadLetters'),
      retrying: t.exposeInt('retrying', { description: 'Pending deliveries with at least one attempt.' }),
      waiting: t.exposeInt('waiting', { description: 'Pending deliveries without an attempt.' }),
      lastDeliveredAt: t.expose('lastDeliveredAt', { type: 'DateTime', nullable: true }),
      lastError: t.exposeString('lastError', { nullable: true }),
    }),
  })

const addReplay = (schema: Schema) =>
  schema.objectRef<Replay>('WebhookReplay').implement({
    description: 'A request to send the events of a period again.',
    fields: (t) => ({
      id: t.exposeID('id'),
      webhookId: t.exposeID('endpointId'),
      since: t.expose('since', { type: 'DateTime' }),
      until: t.expose('until', { type: 'DateTime' }),
      onlyMissed: t.exposeBoolean('onlyMissed'),
      deliveries: t.exposeInt('deliveries', { description: 'Deliveries created so far.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Null while it runs.',
      }),
    }),
  })

const addEventKind = (schema: Schema, event: EnumOf<EventType>) =>
  schema.objectRef<EventType>('EventKind').implement({
    fields: (t) => ({
      type: t.field({ type: event, resolve: (type) => type }),
      isEmitted: t.boolean({
        description: 'False if no feature of this version emits it.',
        resolve: (type, _, ctx) => ctx.emittedEvents.has(type),
      }),
      sentWhen: t.string({ resolve: (type) => catalogue[type].sentWhen }),
      sample: t.field({ type: 'JSON', resolve: (type) => catalogue[type].sample }),
      schema: t.field({
        type: 'JSON',
        description: 'JSON Schema of the payload.',
        resolve: (type) => catalogue[type].payload,
      }),
    }),
  })
