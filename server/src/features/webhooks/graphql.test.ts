import { expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'
import { sendMessage } from './webhooks.ts'

const shared = sharedTestApp({ contextOf: believed })

async function person(): Promise<{ ctx: Ctx; ask: Ask }> {
  const ctx = await shared().newTenant()
  return { ctx, ask: asker(shared().as(), headersOf(ctx)) }
}

const create =
  'mutation ($url: String!) { createWebhook(name: "hook", url: $url, events: [NEW_ASSET]) { secret webhook { id active events secretPrefix } } }'
type Created = { createWebhook: { secret: string; webhook: { id: string; secretPrefix: string } } }

test('a webhook is made, tested, changed, given a new secret and deleted', async () => {
  const { ask } = await person()
  const { url } = await receiver()
  const { data } = await ask<Created>(create, { url })
  const made = data?.createWebhook
  expect(made).toMatchObject({
    secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    webhook: { active: true, events: ['NEW_ASSET'] },
  })
  const id = made?.webhook.id
  expect(made?.secret.startsWith(made.webhook.secretPrefix)).toBe(true)
  expect(
    (await ask('mutation ($id: ID!) { testWebhook(id: $id) { success status error } }', { id })).data,
  ).toEqual({
    testWebhook: { success: true, status: 200, error: null },
  })
  expect(
    (
      await ask(
        'mutation ($id: ID!) { updateWebhook(id: $id, name: "new", active: false, maxRate: 0.5, events: [UNLINK, NEW_ASSET]) { name active maxRate events url } }',
        { id },
      )
    ).data,
  ).toEqual({
    updateWebhook: { name: 'new', active: false, maxRate: 0.5, events: ['UNLINK', 'NEW_ASSET'], url },
  })
  expect(
    (await ask('mutation ($id: ID!) { updateWebhook(id: $id, maxRate: null) { maxRate name } }', { id }))
      .data,
  ).toEqual({
    updateWebhook: { maxRate: null, name: 'new' },
  })
  const rotated = await ask<{ rotateWebhookSecret: { secret: string } }>(
    'mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }',
    { id },
  )
  expect(rotated.data?.rotateWebhookSecret.secret).not.toBe(made?.secret)
  expect((await ask('{ webhooks { id name } }')).data).toEqual({ webhooks: [{ id, name: 'new' }] })
  expect((await ask('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id })).data).toEqual({
    deleteWebhook: id,
  })
  expect((await ask('{ webhooks { id } }')).data).toEqual({ webhooks: [] })
})

test('its deliveries are listed, looked into, and ordered again', async () => {
  const { ctx, ask } = await person()
  const { data } = await ask<Created>(create, { url: (await receiver()).url })
  const id = data?.createWebhook.webhook.id
  const payload = { asset_id: '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21', asset_name: 'one' }
  await atomically(ctx, (inner) => emit(inner, [{ type: 'NEW_ASSET', payload }]))
  const list = `query ($id: ID, $s: DeliveryStatus) { webhookDeliveries(webhookId: $id, status: $s) {
    total items { id webhookId eventType status attempts payload lastError } } }`
  const { data: listed } = await ask<{ webhookDeliveries: { items: { id: string }[] } }>(list, { id })
  expect(listed?.webhookDeliveries).toMatchObject({
    total: 1,
    items: [
      { webhookId: id, eventType: 'NEW_ASSET', status: 'pending', attempts: 0, payload, lastError: null },
    ],
  })
  expect((await ask(list, { s: 'dead_letter' })).data).toMatchObject({ webhookDeliveries: { total: 0 } })
  expect(
    (
      await ask(
        '{ webhookHealth { webhookId delivered deadLetters retrying waiting lastDeliveredAt lastError } }',
      )
    ).data,
  ).toEqual({
    webhookHealth: [
      {
        webhookId: id,
        delivered: 0,
        deadLetters: 0,
        retrying: 0,
        waiting: 1,
        lastDeliveredAt: null,
        lastError: null,
      },
    ],
  })
  const delivery = { id: listed?.webhookDeliveries.items[0]?.id }
  expect(
    (
      await ask(
        'query ($id: ID!) { webhookDelivery(id: $id) { delivery { id } attempts { n fault } } }',
        delivery,
      )
    ).data,
  ).toEqual({ webhookDelivery: { delivery, attempts: [] } })
  const resend = await ask('mutation ($id: ID!) { resendWebhookDelivery(id: $id) { id } }', delivery)
  expect(resend.errors?.[0]?.extensions.code).toBe('conflict')
  const replay = await ask(
    'mutation ($id: ID!) { replayWebhook(id: $id, since: "2026-01-01T00:00:00Z") { webhookId onlyMissed deliveries finishedAt } }',
    { id },
  )
  expect(replay.data).toEqual({
    replayWebhook: { webhookId: id, onlyMissed: true, deliveries: 0, finishedAt: null },
  })
  expect(
    (await ask('query ($id: ID!) { webhookReplays(webhookId: $id) { webhookId } }', { id })).data,
  ).toEqual({
    webhookReplays: [{ webhookId: id }],
  })
})

test('what may be subscribed to is told with samples', async () => {
  const { ask } = await person()
  const { data } = await ask<{ eventCatalogue: { type: string; sample: object; isEmitted: boolean }[] }>(
    '{ eventCatalogue { type isEmitted sentWhen sample schema } }',
  )
  expect(data?.eventCatalogue).toHaveLength(10)
  const emitted = shared().runtime.system.emittedEvents
  expect(data?.eventCatalogue.every((it) => it.isEmitted === emitted.has(it.type))).toBe(true)
  expect(data?.eventCatalogue[0]).toMatchObject({ type: 'NEW_ASSET', sample: { asset_type: 'device' } })
})

test('a destination that is not allowed is refused, naming the field', async () => {
  const { ask } = await person()
  for (const url of ['ftp://a.example', 'http://u:p@a.example', 'http://10.0.0.1'])
    expect((await ask(create, { url })).errors?.[0]?.extensions).toEqual({
      code: 'invalid_request',
      field: 'url',
    })
})

test('what a flow sent to it is a delivery as any other', async () => {
  const { ctx, ask } = await person()
  const { data } = await ask<Created>(create, { url: (await receiver()).url })
  const endpointId = data?.createWebhook.webhook.id ?? ''
  const eventId = crypto.randomUUID()
  await atomically(ctx, (inner) =>
    sendMessage(inner, { endpointId, eventId, type: 'flow.message', payload: { message: 'hello' } }),
  )
  const listed = await ask('{ webhookDeliveries { items { eventId eventType payload } } }')
  expect(listed.data).toEqual({
    webhookDeliveries: { items: [{ eventId, eventType: 'FLOW_MESSAGE', payload: expect.any(Object) }] },
  })
  const one = await ask('{ webhookDeliveries(eventType: FLOW_MESSAGE) { total } }')
  expect(one.data).toEqual({ webhookDeliveries: { total: 1 } })
  const refused = await ask(
    'mutation { createWebhook(name: "x", url: "http://127.0.0.1:9/", events: [FLOW_MESSAGE]) { secret } }',
  )
  expect(refused.errors?.[0]?.message).toMatch(/^events/)
})
