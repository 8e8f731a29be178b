import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { emit } from '#features/events/events.ts'
import { createEndpoint, listDeliveries, listEndpoints } from '#features/webhooks/webhooks.ts'
import { startEngine } from '#features/webhooks/delivery/engine.ts'
import { sign } from '#features/webhooks/delivery/signature.ts'
import { atomically } from '#platform/context.ts'
import { openLog } from '#platform/observability/log.ts'
import { restError } from '#test/support/http/error-response.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { createPartnerWebhook, listPartnerWebhooks, testPartnerWebhook } from './partner-webhooks.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { ask, keyOf, newPartner, partnerScene, type PartnerScene } from './partners.fixture.ts'
import { deletePartner, updatePartner } from './partners.ts'

const shared = sharedTestApp()
let it: PartnerScene
beforeAll(async () => {
  it = await partnerScene(shared())
})

const URL = 'http://127.0.0.1:9/'
const hook = (more: object = {}) => ({ name: 'hook', url: URL, events: ['NEW_ASSET', 'UNLINK'], ...more })
const add = (body: unknown, path = it.path) =>
  ask(shared(), { api: it.admin }, ['POST', `${path}/webhooks`, body])

test('case 23: a webhook with a secret that is made and told once', async () => {
  const { status, body } = await add(
    hook({ headers: { 'X-Team': 'blue', Authorization: 'Bearer hidden-token' } }),
  )
  const secret = String(body['secret'])
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  const made = {
    id: expect.any(String) as unknown,
    name: 'hook',
    url: URL,
    events: ['NEW_ASSET', 'UNLINK'],
    active: true,
    secret_prefix: secret.slice(0, 8),
    headers: ['X-Team', 'Authorization'],
    created_at: expect.any(String) as unknown,
  }
  expect([status, body]).toEqual([201, { ...made, secret }])
  const list = await ask<{ data: unknown[] }>(shared(), { partner: it.all }, ['GET', `${it.path}/webhooks`])
  expect(list.body.data).toEqual([made]) // case 25
  expect(list.text).not.toContain('hidden-token')
})

test.each([
  ['x', ''],
  ['short!!', 's'],
  ['y'.repeat(256), 'y'.repeat(8)],
])('case 23: a secret that is given (%.8s…) is never told', async (secret, prefix) => {
  const { status, body } = await add(hook({ secret }))
  expect([status, 'secret' in body, body['secret_prefix']]).toEqual([201, false, prefix])
})

test.each([
  ['name', undefined],
  ['name', ''],
  ['name', 7],
  ['url', undefined],
  ['url', 'ftp://a.example/'],
  ['url', 'http://user:pass@a.example/'],
  ['url', 'http://10.0.0.1/'],
  ['url', 'http://169.254.169.254/'],
  ['url', 'http://no-such-host.invalid/'],
  ['url', 7],
  ['events', undefined],
  ['events', []],
  ['events', ['NEW_ASSET', 'SOMETHING']],
  ['events', 'NEW_ASSET'],
  ['events', null],
  ['secret', ''],
  ['secret', 'two words'],
  ['secret', 'z'.repeat(257)],
  ['secret', 'ü'],
  ['secret', null],
  ['headers', { Host: 'a' }],
  ['headers', { 'X-Service-Event': 'a' }],
  ['headers', { 'Content-Type': 'a' }],
  ['headers', { 'X-A': 'a\r\nX-B: b' }],
  ['headers', { 'X-A': 7 }],
  ['headers', []],
  ['headers', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a']))],
  ['headers', { 'X-A': 'a'.repeat(5_000) }],
] as const)('case 23: %s %.40j is refused by name', async (field, value) => {
  expect(await add(hook({ [field]: value }))).toEqual(
    restError(400, 'invalid_request', expect.stringMatching(new RegExp(`^${field}\\b`))),
  )
})

test('case 23: at most twenty, of each partner, however many ask at once', async () => {
  const partner = await newPartner(it.ctx)
  const path = `/partners/${partner.id}`
  for (let n = 0; n < 18; n += 1) expect((await add(hook(), path)).status).toBe(201)
  const last = await Promise.all(Array.from({ length: 4 }, () => add(hook(), path)))
  expect(last.map((it) => String(it.status)).toSorted()).toEqual(['201', '201', '409', '409'])
  expect((await add(hook())).status).toBe(201)
})

test('case 24: events of the owning tenant have a delivery; the own lists of the tenant leave it out', async () => {
  const { ctx, path, partner } = await partnerScene(shared())
  const { admin } = await partnerScene(shared(), ctx)
  await ask(shared(), { api: admin }, ['POST', `${path}/webhooks`, hook()])
  const own = await createEndpoint(ctx, { name: 'own', url: URL, events: ['UNLINK'] })
  await atomically(ctx, (inner) => emit(inner, [{ type: 'UNLINK', payload: {} }]))
  const due = await ctx.db.all(sql<{ partner_id: string | null }>`
    select e.partner_id from webhook_deliveries d join webhook_endpoints e on e.seq = d.endpoint_seq
    where d.tenant_id = ${ctx.tenantId} order by 1`)
  expect(due).toEqual([{ partner_id: partner.id }, { partner_id: null }])
  expect((await listEndpoints(ctx)).map(({ id }) => id)).toEqual([own.endpoint.id])
  expect((await listDeliveries(ctx, { limit: 10, offset: 0 })).total).toBe(1)
})

describe('case 24: deliveries', () => {
  const delivering = async (reply?: Parameters<typeof receiver>[0]) => {
    const app = await testApp()
    const engine = startEngine(
      { database: app.runtime.database, system: app.runtime.system, contextFor: app.runtime.contextFor },
      { schedule: () => 0.01 },
    )
    onTestFinished(() => engine.stop())
    return { app, scene: await partnerScene(app), there: await receiver(reply) }
  }

  test('carry the five headers, the signature of the secret, and the headers of the partner', async () => {
    const secret = 'a given secret'.replaceAll(' ', '-')
    let failures = 2
    const { app, scene, there } = await delivering(() => (failures-- > 0 ? 500 : 200))
    const body = { name: 'h', url: there.url, events: ['UNLINK'], secret, headers: { 'X-Team': 'blue' } }
    const path = `${scene.path}/webhooks`
    expect((await ask(app, { partner: scene.all }, ['POST', path, body])).status).toBe(201)
    await atomically(scene.ctx, (inner) => emit(inner, [{ type: 'UNLINK', payload: { reason: 'r' } }]))
    await vi.waitFor(() => expect(there.requests).toHaveLength(3), { timeout: 20_000, interval: 20 })
    for (const { headers, body: sent } of there.requests) {
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-event': 'UNLINK',
        'x-service-event-id': there.requests[0]?.headers['x-service-event-id'],
        'x-service-signature': sign(secret, sent, String(headers['x-service-timestamp'])),
        'x-team': 'blue',
      })
      expect(JSON.parse(sent.toString())).toEqual({ reason: 'r', tenant_id: scene.ctx.tenantId })
    }
  })

  test('leave the headers of the partner out after a redirect to elsewhere', async () => {
    const elsewhere = await receiver()
    const { app, scene, there } = await delivering(
      () => (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    )
    const body = { name: 'h', url: there.url, events: ['UNLINK'], headers: { Authorization: 'Bearer x' } }
    await ask(app, { partner: scene.all }, ['POST', `${scene.path}/webhooks`, body])
    await atomically(scene.ctx, (inner) => emit(inner, [{ type: 'UNLINK', payload: {} }]))
    await vi.waitFor(() => expect(elsewhere.requests).toHaveLength(1), { timeout: 20_000, interval: 20 })
    expect(there.requests[0]?.headers.authorization).toBe('Bearer x')
    expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined()
  })

  test('of a test are sent at once, and only to a webhook of this partner', async () => {
    const { app, scene, there } = await delivering()
    const made = await createPartnerWebhook(scene.ctx, scene.partner.id, hook({ url: there.url }))
    const id = made.endpoint.id
    expect(await testPartnerWebhook(scene.ctx, scene.partner.id, id)).toMatchObject({
      success: true,
      status: 200,
    })
    expect(there.requests[0]?.headers['x-service-event']).toBe('webhook.test')
    const other = await newPartner(scene.ctx)
    await expect(testPartnerWebhook(scene.ctx, other.id, id)).rejects.toMatchObject({ status: 404 })
    const foreign = await app.newTenant()
    await expect(testPartnerWebhook(foreign, scene.partner.id, id)).rejects.toMatchObject({ status: 404 })
  })
})

test('no key, secret or header of a partner is in the log', async () => {
  const lines: string[] = []
  const app = await testApp({ log: openLog('trace', { write: (line) => void lines.push(line) }) })
  const { admin, all, path } = await partnerScene(app)
  const secret = 'the-secret-of-a-receiver'
  const headers = { Authorization: 'Bearer the-token-of-a-receiver' }
  for (const url of [URL, 'http://10.0.0.1/'])
    await ask(app, { partner: all }, ['POST', `${path}/webhooks`, hook({ url, secret, headers })])
  const issued = await ask(app, { partner: all }, ['POST', `${path}/keys`, { scopes: ['partner:read'] }])
  await ask(app, { api: admin, partner: all }, ['GET', path])
  const owner = new pg.Client(app.where)
  await owner.connect()
  await owner.query('alter table partners rename to partners_away')
  await owner.end()
  expect((await ask(app, { partner: all }, ['GET', path])).status).toBe(500)
  const log = lines.join('')
  expect(log).toContain('request failed')
  for (const text of [secret, 'the-token', admin, all, String(issued.body['api_key'])])
    expect(log).not.toContain(text)
})

test('switching the API off sets deliveries aside, and on sends them; deleting the partner ends them', async () => {
  const { ctx, path, partner, all } = await partnerScene(shared())
  await ask(shared(), { partner: all }, ['POST', `${path}/webhooks`, hook()])
  await atomically(ctx, (inner) => emit(inner, [{ type: 'UNLINK', payload: {} }]))
  const waiting = () =>
    ctx.db.all(sql<{ aside: boolean }>`
      select run_at = 'infinity' as aside from webhook_deliveries where tenant_id = ${ctx.tenantId}`)
  await updatePartner(ctx, partner.id, { apiEnabled: false })
  expect(await waiting()).toEqual([{ aside: true }])
  await updatePartner(ctx, partner.id, { apiEnabled: true })
  expect(await waiting()).toEqual([{ aside: false }])
  await deletePartner(ctx, partner.id)
  expect(await waiting()).toEqual([])
})

test('case 25: deletion; again, unknown and of another partner are not found', async () => {
  const { body } = await add(hook())
  const path = `${it.path}/webhooks/${String(body['id'])}`
  const other = await newPartner(it.ctx)
  const partner = await keyOf(it.ctx, other)
  const missing = restError(404, 'not_found', 'webhook not found')
  const elsewhere = `/partners/${other.id}/webhooks/${String(body['id'])}`
  expect(await ask(shared(), { partner }, ['DELETE', elsewhere])).toEqual(missing)
  const gone = await ask(shared(), { partner: it.all }, ['DELETE', path])
  expect([gone.status, gone.body]).toEqual([200, { message: 'webhook deleted' }])
  for (const id of [String(body['id']), randomUUID(), 'nonsense'])
    expect(await ask(shared(), { partner: it.all }, ['DELETE', `${it.path}/webhooks/${id}`])).toEqual(missing)
  const own = await createEndpoint(it.ctx, { name: 'own', url: URL, events: ['UNLINK'] })
  expect(
    await ask(shared(), { api: it.admin }, ['DELETE', `${it.path}/webhooks/${own.endpoint.id}`]),
  ).toEqual(missing)
})

test('the total of a list is of its page, whatever comes meanwhile', async () => {
  const ctx = await shared().newTenant()
  const { id } = await newPartner(ctx)
  const make = () => createPartnerWebhook(ctx, id, { name: 'hook', url: URL, events: ['UNLINK'] })
  await make()
  const { items, total } = await listPartnerWebhooks(whileOthersWrite(ctx, make), id, {
    limit: 50,
    offset: 0,
  })
  expect(total).toBe(items.length)
})
