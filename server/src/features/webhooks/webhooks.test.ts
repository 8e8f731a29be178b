import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { sign } from './delivery/signature.ts'
import * as webhooks from './webhooks.ts'

const wanted = { name: 'ops', events: ['NEW_SOURCE', 'SCAN_COMPLETED'] }
const page = { limit: 50, offset: 0 }

async function newReceiverAndTenant() {
  const { runtime, newTenant } = await testApp()
  return { runtime, newTenant, ctx: await newTenant(), there: await receiver() }
}

const emitOne = (ctx: Ctx, name = 'stock list') =>
  atomically(ctx, (ctx) => emit(ctx, [{ type: 'NEW_SOURCE', payload: { name } }]))

test('issue 9: a tenant has as many endpoints as the operator allows, other tenants their own', async () => {
  const { newTenant } = await testApp({ limits: { endpoints: 3 } })
  const [ctx, other, there] = [await newTenant(), await newTenant(), await receiver()]
  const create = (by: Ctx) => webhooks.createEndpoint(by, { ...wanted, url: there.url })
  const made = await Promise.allSettled(Array.from({ length: 6 }, () => create(ctx)))
  const refused = made.filter((it) => it.status === 'rejected').map((it) => it.reason)
  expect(refused).toMatchObject(
    Array.from({ length: 3 }, () => ({
      code: 'conflict',
      message: 'a tenant may have 3 webhooks; the operator can allow more with WEBHOOKS_PER_TENANT',
    })),
  )
  await create(other)
  const [first] = await webhooks.listEndpoints(ctx)
  await webhooks.deleteEndpoint(ctx, first?.id ?? '')
  await create(ctx)
  await expect(create(ctx)).rejects.toMatchObject({ code: 'conflict' })
})

describe('an endpoint', () => {
  test('is made, listed, changed and deleted; its secret is shown once', async () => {
    const { ctx, there } = await newReceiverAndTenant()
    const { endpoint, secret } = await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(endpoint).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'ops',
      url: there.url,
      events: wanted.events,
      active: true,
      secretPrefix: secret.slice(0, 8),
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await webhooks.listEndpoints(ctx)).toEqual([endpoint])
    const changed = await webhooks.updateEndpoint(ctx, endpoint.id, { name: ' new ', active: false })
    expect(changed).toMatchObject({ ...endpoint, name: 'new', active: false, updatedAt: expect.any(String) })
    await webhooks.deleteEndpoint(ctx, endpoint.id)
    expect(await webhooks.listEndpoints(ctx)).toEqual([])
    await expect(webhooks.listDeliveries(ctx, { endpointId: endpoint.id, ...page })).rejects.toThrow(
      'webhook not found',
    )
  })

  test('keeps its secret sealed, and forgets it when deleted', async () => {
    const { ctx, there } = await newReceiverAndTenant()
    const { endpoint, secret } = await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })
    const stored = () =>
      ctx.db.one(sql<{ whole: string; sealed: Buffer }>`
        select to_jsonb(e)::text as whole, secret_sealed as sealed from webhook_endpoints e where id = ${endpoint.id}`)
    const { whole, sealed } = await stored()
    expect(whole).not.toContain(secret)
    expect(sealed.includes(secret)).toBe(false)
    await webhooks.deleteEndpoint(ctx, endpoint.id)
    expect((await stored()).sealed).toHaveLength(0)
  })

  test.each([
    [{ name: ' ' }, /^name: /],
    [{ name: 'x'.repeat(201) }, /^name: /],
    [{ events: [] }, /^events: .*at least one/],
    [{ events: ['NEW_ASSET', 'new_asset'] }, /^events: "new_asset"/],
    [{ url: 'ftp://a.example' }, /^url: /],
    [{ url: 'http://10.0.0.1/' }, /^url: .*public/],
    [{ url: 'http://[::ffff:169.254.169.254]/' }, /^url: .*public/],
    [{ url: 'http://does-not-exist.invalid/' }, /^url: .*resolve/],
  ])('%j is refused, at making and at changing', async (wrong, why) => {
    const { ctx, there } = await newReceiverAndTenant()
    await expect(webhooks.createEndpoint(ctx, { ...wanted, url: there.url, ...wrong })).rejects.toThrow(why)
    const { endpoint } = await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })
    await expect(webhooks.updateEndpoint(ctx, endpoint.id, wrong)).rejects.toThrow(why)
    expect(await webhooks.listEndpoints(ctx)).toEqual([endpoint])
  })

  test('of another tenant is not found, nor is what is no id', async () => {
    const { ctx, newTenant, there } = await newReceiverAndTenant()
    const { endpoint } = await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })
    const stranger = await newTenant()
    for (const [who, id] of [
      [stranger, endpoint.id],
      [ctx, 'nonsense'],
    ] as const)
      for (const deed of [
        () => webhooks.updateEndpoint(who, id, { active: false }),
        () => webhooks.rotateSecret(who, id),
        () => webhooks.testEndpoint(who, id),
        () => webhooks.deleteEndpoint(who, id),
        () => webhooks.listDeliveries(who, { endpointId: id, ...page }),
      ])
        await expect(deed()).rejects.toMatchObject({ status: 404, message: 'webhook not found' })
    expect(await webhooks.listEndpoints(stranger)).toEqual([])
  })

  test('needs permission', async () => {
    const { ctx, there } = await newReceiverAndTenant()
    const reader: Ctx = { ...ctx, actor: { kind: 'user', id: 'r', may: (it) => it === 'webhooks:read' } }
    const nobody: Ctx = { ...ctx, actor: { kind: 'user', id: 'n', may: () => false } }
    await webhooks.listEndpoints(reader)
    await expect(webhooks.listEndpoints(nobody)).rejects.toMatchObject({ status: 403 })
    await expect(webhooks.createEndpoint(reader, { ...wanted, url: there.url })).rejects.toMatchObject({
      status: 403,
    })
    await expect(webhooks.rotateSecret(reader, 'x')).rejects.toMatchObject({ status: 403 })
    await expect(webhooks.testEndpoint(reader, 'x')).rejects.toMatchObject({ status: 403 })
  })

  test('leaves a trail in the audit log, without the secret', async () => {
    const { ctx, there } = await newReceiverAndTenant()
    const { endpoint } = await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })
    const { secret } = await webhooks.rotateSecret(ctx, endpoint.id)
    await webhooks.deleteEndpoint(ctx, endpoint.id)
    const entries = await ctx.db.all(sql<{ action: string; details: unknown }>`
      select action, details from audit_entries where subject_id = ${endpoint.id} order by id`)
    expect(entries.map((it) => it.action)).toEqual([
      'webhook.created',
      'webhook.secret_rotated',
      'webhook.deleted',
    ])
    expect(JSON.stringify(entries)).not.toContain(secret)
  })
})

describe('an event', () => {
  test('becomes one delivery for each active endpoint that wants it, in its own transaction', async () => {
    const { ctx, newTenant, there } = await newReceiverAndTenant()
    const make = async (who: Ctx, more: Partial<webhooks.NewEndpoint> = {}) =>
      (await webhooks.createEndpoint(who, { ...wanted, url: there.url, ...more })).endpoint.id
    const [one, two] = [await make(ctx), await make(ctx)]
    const unwilling = [await make(ctx, { events: ['UNLINK'] }), await make(ctx, { active: false })]
    const stranger = await newTenant()
    const foreign = await make(stranger)
    await emitOne(ctx)
    const rolledBack = atomically(ctx, async (ctx) => {
      await emit(ctx, [{ type: 'NEW_SOURCE', payload: {} }])
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    const of = async (who: Ctx, endpointId: string) => webhooks.listDeliveries(who, { endpointId, ...page })
    for (const id of [one, two])
      expect(await of(ctx, id)).toEqual({
        total: 1,
        items: [
          {
            id: expect.stringMatching(/^\d+$/),
            endpointId: id,
            eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            eventType: 'NEW_SOURCE',
            status: 'Pending',
            attempts: 0,
            payload: { name: 'stock list', tenant_id: ctx.tenantId },
            lastError: null,
            replayOf: null,
            createdAt: expect.stringMatching(/Z$/),
            nextAttemptAt: expect.stringMatching(/Z$/),
            finishedAt: null,
          },
        ],
      })
    for (const id of unwilling) expect((await of(ctx, id)).total).toBe(0)
    expect((await of(stranger, foreign)).total).toBe(0)
  })

  test('can be found by status and date, newest first', async () => {
    const { ctx, there } = await newReceiverAndTenant()
    const { endpoint } = await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })
    for (const name of ['a', 'b', 'c']) await emitOne(ctx, name)
    const list = (more: object) => webhooks.listDeliveries(ctx, { endpointId: endpoint.id, ...page, ...more })
    const { items } = await list({})
    expect(items.map((it) => (it.payload as { name: string }).name)).toEqual(['c', 'b', 'a'])
    expect((await list({ limit: 1, offset: 1 })).items).toEqual([items[1]])
    expect((await list({ limit: 1, offset: 1 })).total).toBe(3)
    expect((await list({ status: 'Pending' })).total).toBe(3)
    expect((await list({ status: 'Delivered' })).total).toBe(0)
    expect((await list({ since: '2000-01-01T00:00:00Z' })).total).toBe(3)
    expect((await list({ since: '2999-01-01T00:00:00Z' })).total).toBe(0)
  })
})

describe('a test delivery', () => {
  test('is signed, carries no event id, and reaches an inactive endpoint', async () => {
    const { ctx, there } = await newReceiverAndTenant()
    const { endpoint, secret } = await webhooks.createEndpoint(ctx, {
      ...wanted,
      url: there.url,
      active: false,
    })
    const result = await webhooks.testEndpoint(ctx, endpoint.id)
    expect(result).toEqual({ success: true, status: 200, ms: expect.any(Number), error: null })
    const [request] = there.requests
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'webhook.test',
      'x-service-signature': sign(
        secret,
        request?.body ?? Buffer.alloc(0),
        String(request?.headers['x-service-timestamp']),
      ),
    })
    expect(request?.headers).not.toHaveProperty('x-service-event-id')
    expect(JSON.parse(String(request?.body))).toEqual({
      test: true,
      webhookId: endpoint.id,
      triggeredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect((await webhooks.listDeliveries(ctx, { endpointId: endpoint.id, ...page })).total).toBe(0)
  })

  test('that is not answered with 2xx has failed, and is not tried again', async () => {
    const { ctx } = await newReceiverAndTenant()
    const there = await receiver(() => 503)
    const { endpoint } = await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })
    expect(await webhooks.testEndpoint(ctx, endpoint.id)).toEqual({
      success: false,
      status: 503,
      ms: expect.any(Number),
      error: 'the receiver answered 503',
    })
    expect(there.requests).toHaveLength(1)
  })
})
