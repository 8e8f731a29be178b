import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import { restError } from '#test/support/http/error-response.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { ask, newPartner, partnerScene, slug, type PartnerScene } from './partners.fixture.ts'
import { createPartner, deletePartner, getPartner, listPartners, updatePartner } from './partners.ts'

const shared = sharedTestApp()
let it: PartnerScene
beforeAll(async () => {
  it = await partnerScene(shared())
})

const post = (body: unknown) => ask(shared(), { api: it.admin }, ['POST', '/partners', body])
const valid = () => ({ name: 'Northwind', slug: slug(), email: 'it@northwind.example' })
const instant: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/)

test('case 11: a partner is made and answered whole; case 14: with the defaults of its limits', async () => {
  const body = valid()
  const answer = await post(body)
  const made = {
    id: expect.any(String) as unknown,
    tenant_id: it.ctx.tenantId,
    ...body,
    quota_limit: 10_000,
    rate_limit: 100,
    api_enabled: true,
    created_at: instant,
    updated_at: instant,
  }
  expect([answer.status, answer.body]).toEqual([201, made])
  const read = await ask(shared(), { api: it.admin }, ['GET', `/partners/${String(answer.body['id'])}`])
  expect([read.status, read.body]).toEqual([200, answer.body]) // case 16
})

test.each([
  ['name', undefined],
  ['name', ''],
  ['name', ' \t '],
  ['name', 7],
  ['name', null],
  ['name', 'x'.repeat(201)],
  ['name', 'two\nlines'],
  ['email', undefined],
  ['email', ''],
  ['email', 'nobody'],
  ['email', 'a@b@c'],
  ['email', '@b'],
  ['email', 'a@'],
  ['email', 'a b@c'],
  ['email', `${'x'.repeat(250)}@b.example`],
  ['email', ['a@b']],
  ['slug', undefined],
  ['slug', ''],
  ['slug', ' '],
  ['slug', '-a'],
  ['slug', 'a.'],
  ['slug', 'a b'],
  ['slug', 'ü'],
  ['slug', 'a\n'],
  ['slug', 'x'.repeat(129)],
  ['slug', 5],
  ['quota_limit', 0],
  ['quota_limit', -1],
  ['quota_limit', 1.5],
  ['quota_limit', 100_000_001],
  ['quota_limit', '10'],
  ['quota_limit', null],
  ['rate_limit', 0],
  ['rate_limit', 100_001],
  ['rate_limit', true],
] as const)('cases 12 to 14: %s %j is refused by name', async (field, value) => {
  expect(await post({ ...valid(), [field]: value })).toEqual(
    restError(400, 'invalid_request', expect.stringMatching(new RegExp(`^${field}: `))),
  )
})

test.each([
  { name: ' padded ' },
  { name: 'x'.repeat(200) },
  { slug: 'A' },
  { slug: `a${'._-'.repeat(42)}9` },
  { email: 'ünï@exämple' },
  { email: `${'x'.repeat(250)}@b.c` },
  { quota_limit: 1, rate_limit: 1 },
  { quota_limit: 100_000_000, rate_limit: 100_000 },
  { something: 'else' },
])('cases 12 to 14: %j is taken', async (more) => {
  expect((await post({ ...valid(), ...more })).status).toBe(201)
})

describe('case 13: the slug', () => {
  const conflict = restError(409, 'conflict', expect.stringContaining('slug'))

  test('is unique in its tenant, exactly; another tenant may have it', async () => {
    const body = { ...valid(), slug: `Ab.${slug()}` }
    expect((await post(body)).status).toBe(201)
    expect(await post(body)).toEqual(conflict)
    expect((await post({ ...body, slug: body.slug.toLowerCase() })).status).toBe(201)
    const other = await partnerScene(shared())
    expect((await ask(shared(), { api: other.admin }, ['POST', '/partners', body])).status).toBe(201)
  })

  test('is free again once its partner is deleted', async () => {
    const body = valid()
    const { id } = (await post(body)).body
    await deletePartner(it.ctx, String(id))
    expect((await post(body)).status).toBe(201)
  })

  test('goes to one of two who ask at once', async () => {
    const body = valid()
    const answers = await Promise.all([post(body), post(body), post(body)])
    expect(answers.map((it) => String(it.status)).toSorted()).toEqual(['201', '409', '409'])
  })
})

test('case 15: the list, newest first, with its limits and headers', async () => {
  const app = shared()
  const { ctx, admin } = await partnerScene(app)
  for (let n = 0; n < 24; n += 1) await newPartner(ctx)
  const list = (query: string) =>
    ask<{ data: { id: string; created_at: string }[] }>(app, { api: admin }, ['GET', `/partners${query}`])
  const whole = await list('?limit=100')
  expect(whole.body).toMatchObject({ total: 25, limit: 100, offset: 0 })
  const instants = whole.body.data.map((each) => each.created_at)
  expect(instants).toEqual(instants.toSorted().toReversed())
  for (const query of ['', '?limit=0', '?limit=101', '?limit=x', '?limit=-1', '?offset=-1']) {
    const { body, headers } = await list(query)
    expect(body).toMatchObject({ data: { length: 20 }, total: 25, limit: 20, offset: 0 })
    expect(headers).toMatchObject({ 'x-total-count': '25', 'x-per-page': '20', 'x-next-cursor': 'offset=20' })
  }
  const rest = await list('?offset=20&limit=20')
  expect(rest.body).toMatchObject({ total: 25, limit: 20, offset: 20 })
  expect(rest.body.data).toEqual(whole.body.data.slice(20))
})

test('case 17: deletion; keys and webhooks go with it, rows stay', async () => {
  const { ctx, admin, all, path, partner } = await partnerScene(shared(), it.ctx)
  const hook = { name: 'h', url: 'http://127.0.0.1:9/', events: ['UNLINK'] }
  expect((await ask(shared(), { partner: all }, ['POST', `${path}/webhooks`, hook])).status).toBe(201)
  const gone = await ask(shared(), { api: admin }, ['DELETE', path])
  expect([gone.status, gone.body]).toEqual([200, { message: 'partner deleted' }])
  expect((await ask(shared(), { partner: all }, ['GET', path])).status).toBe(401)
  for (const method of ['GET', 'DELETE'])
    expect(await ask(shared(), { api: admin }, [method, path])).toEqual(
      restError(404, 'not_found', 'partner not found'),
    )
  const { items } = await searchAudit(ctx, { subjectId: partner.id, limit: 10, offset: 0 })
  expect(items.map(({ action }) => action)).toEqual(['partner.deleted', 'partner.created'])
})

describe('cases 26 and 27: the quota', () => {
  test('of its own tenant, with exact counts', async () => {
    const app = await testApp()
    const { ctx, admin, all, partner, path } = await partnerScene(app)
    await updatePartner(ctx, partner.id, { quotaLimit: 3, rateLimit: 7 })
    const seen = { seenAt: new Date(), assetType: 'device' } as const
    const machines = ['a', 'b', 'c', 'd'].map((name) => ({
      ...seen,
      sourceKey: name,
      name,
      identifiers: [{ type: 'serial', value: `serial-${name}` } as const],
    }))
    await submit(ctx, { kind: 'csv', name: 'test' }, machines)
    await ask(app, { partner: all }, ['GET', path])
    await ask(app, { partner: all }, ['GET', '/partners'])
    const quota = await ask(app, { partner: all }, ['GET', `${path}/quota/${ctx.tenantId}`])
    expect([quota.status, quota.body]).toEqual([
      200,
      {
        tenant_id: ctx.tenantId,
        asset_count: 4,
        quota_limit: 3,
        quota_used_pct: 133.33, // case 29: nothing is refused
        requests_today: 3,
        rate_limit: 7,
        reset_at: expect.stringMatching(/T00:00:00Z$/),
      },
    ])
    expect(Date.parse(String(quota.body['reset_at'])) - Date.now()).toBeLessThanOrEqual(86_400_000)
    const assets = await ask(app, { api: admin }, ['GET', '/assets?limit=1'])
    expect(assets.headers['x-total-count']).toBe('4')
    // requests with API keys are none of the partner's
    expect((await ask(app, { api: admin }, ['GET', `${path}/quota/${ctx.tenantId}`])).body).toEqual(
      quota.body,
    )
  })

  test('of any other tenant is not found', async () => {
    const other = await partnerScene(shared())
    for (const keys of [{ api: it.admin }, { partner: it.all }])
      for (const id of [other.ctx.tenantId, randomUUID(), 'nonsense'])
        expect(await ask(shared(), keys, ['GET', `${it.path}/quota/${id}`])).toEqual(
          restError(404, 'not_found', 'tenant not found'),
        )
  })
})

test('an Idempotency-Key makes one partner of two requests', async () => {
  const body = JSON.stringify(valid())
  const headers = { 'content-type': 'application/json', 'idempotency-key': slug() }
  const send = () => shared().as(it.admin).send('POST', '/api/v1/partners', { body, headers })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
})

test('changes are checked, written and told in the audit log with what was before', async () => {
  const { ctx } = it
  const { id } = await newPartner(ctx)
  await expect(updatePartner(ctx, id, { rateLimit: 0 })).rejects.toMatchObject({
    extras: { field: 'rate_limit' },
  })
  const changed = await updatePartner(ctx, id, { name: 'New', apiEnabled: false })
  expect(changed).toMatchObject({ name: 'New', apiEnabled: false, rateLimit: 100_000 })
  const { items } = await searchAudit(ctx, { subjectId: id, action: 'partner.updated', limit: 1, offset: 0 })
  expect(items[0]?.details).toMatchObject({
    before: { name: 'Northwind', apiEnabled: true },
    after: { name: 'New', apiEnabled: false },
  })
})

test('a person needs the permission', async () => {
  const reader = {
    ...it.ctx,
    actor: { kind: 'user', id: 'u', may: (p: string) => p === 'partners:read' },
  } as const
  expect(await getPartner(reader, it.partner.id)).toMatchObject({ id: it.partner.id })
  expect((await listPartners(reader, { limit: 1, offset: 0 })).items).toHaveLength(1)
  for (const attempt of [
    createPartner(reader, { name: 'n', slug: slug(), email: 'a@b' }),
    updatePartner(reader, it.partner.id, { name: 'x' }),
    deletePartner(reader, it.partner.id),
  ])
    await expect(attempt).rejects.toMatchObject({ message: 'permission required: partners:write' })
})

test('the total of a list is of its page, whatever comes meanwhile', async () => {
  const ctx = await shared().newTenant()
  await newPartner(ctx)
  const { items, total } = await listPartners(
    whileOthersWrite(ctx, () => newPartner(ctx)),
    { limit: 50, offset: 0 },
  )
  expect(total).toBe(items.length)
})
