import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { restError } from '#test/support/http/error-response.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { createPartnerKey, listPartnerKeys } from './partner-keys.ts'
import { ask, keyOf, newPartner, partnerScene, type PartnerScene } from './partners.fixture.ts'

const shared = sharedTestApp()
let it: PartnerScene
beforeAll(async () => {
  it = await partnerScene(shared())
})

const DAY_MS = 86_400_000
const issue = (body: unknown, keys: object = { api: it.admin }) =>
  ask(shared(), keys, ['POST', `${it.path}/keys`, body])
const daysLeft = (expiresAt: unknown) =>
  typeof expiresAt === 'string' ? Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS) : null

test('cases 18 and 19: a key is told once and kept as a digest', async () => {
  const { status, body } = await issue({
    name: 'ci',
    scopes: ['webhook:read', 'partner:read', 'webhook:read'],
  })
  const secret = String(body['api_key'])
  expect(secret).toMatch(/^pk_[0-9a-f]{64}$/)
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      name: 'ci',
      prefix: secret.slice(0, 11),
      scopes: ['partner:read', 'webhook:read'],
      created_at: expect.any(String),
      expires_at: expect.any(String),
      last_used_at: null,
      api_key: secret,
    },
  ])
  const { ctx } = it
  const { row } = await ctx.db.one(sql<{ row: string }>`
    select to_jsonb(k)::text as row from partner_keys k where id = ${String(body['id'])}`)
  expect(row).not.toContain(secret.slice(12))
  const list = await ask(shared(), { api: it.admin }, ['GET', `${it.path}/keys`])
  const audit = JSON.stringify(await searchAudit(ctx, { limit: 100, offset: 0 }))
  for (const text of [list.text, audit]) expect(text).not.toContain(secret.slice(12))
  expect(audit).toContain(secret.slice(0, 11))
})

test.each([
  [{}, 90],
  [{ expires_in_days: 1 }, 1],
  [{ expires_in_days: 3_650 }, 3_650],
  [{ expires_in_days: null }, null],
])('case 18: %j ends after %s days, and a name is not required', async (more, days) => {
  const { status, body } = await issue({ scopes: ['partner:read'], ...more })
  expect([status, body['name'], daysLeft(body['expires_at'])]).toEqual([201, '', days])
})

test.each([
  ['name', 7],
  ['name', null],
  ['name', 'x'.repeat(201)],
  ['name', 'a\nb'],
  ['scopes', undefined],
  ['scopes', []],
  ['scopes', 'partner:read'],
  ['scopes', ['partner:read', 'admin']],
  ['scopes', [7]],
  ['scopes', null],
  ['expires_in_days', 0],
  ['expires_in_days', 3_651],
  ['expires_in_days', 1.5],
  ['expires_in_days', '90'],
  ['expires_in_days', false],
] as const)('case 18: %s %j is refused by name', async (field, value) => {
  const body = { name: 'n', scopes: ['partner:read'], [field]: value }
  for (const keys of [{ api: it.admin }, { partner: it.all }])
    expect(await issue(body, keys)).toEqual(
      restError(400, 'invalid_request', expect.stringMatching(new RegExp(`^${field}\\b`))),
    )
})

describe('case 20: a partner key issues', () => {
  test('no scope that it lacks', async () => {
    const partner = await keyOf(it.ctx, it.partner, ['partner:write', 'webhook:read'])
    expect(await issue({ scopes: ['partner:read', 'webhook:write'] }, { partner })).toEqual(
      restError(403, 'forbidden', 'this key cannot grant: webhook:write'),
    )
    const held = ['partner:read', 'partner:write', 'webhook:read']
    expect((await issue({ scopes: held }, { partner })).status).toBe(201)
    expect(await issue({ scopes: ['nothing'] }, { partner })).toEqual(restError(400, 'invalid_request'))
  })

  test('no key that outlives it', async () => {
    const { key, secret } = await createPartnerKey(it.ctx, it.partner.id, {
      scopes: ['partner:write'],
      expiresInDays: 7,
    })
    for (const more of [{}, { expires_in_days: null }, { expires_in_days: 8 }])
      expect((await issue({ scopes: ['partner:read'], ...more }, { partner: secret })).body).toMatchObject({
        expires_at: key.expiresAt,
      })
    const { body } = await issue({ scopes: ['partner:read'], expires_in_days: 2 }, { partner: secret })
    expect(daysLeft(body['expires_at'])).toBe(2)
  })
})

test('case 21: the list, by the limits of all lists, without revoked keys', async () => {
  const partner = await newPartner(it.ctx)
  const path = `/partners/${partner.id}/keys`
  for (let n = 0; n < 3; n += 1) await keyOf(it.ctx, partner, ['partner:read'])
  const list = async (query = '') =>
    (
      await ask<{ data: { id: string; prefix: string }[] }>(shared(), { api: it.admin }, [
        'GET',
        path + query,
      ])
    ).body
  const whole = await list()
  expect(whole).toMatchObject({ data: { length: 3 }, total: 3, limit: 50, offset: 0 })
  expect(whole.data[0]).toEqual({
    id: expect.any(String),
    name: '',
    prefix: expect.stringMatching(/^pk_[0-9a-f]{8}$/),
    scopes: ['partner:read'],
    created_at: expect.any(String),
    expires_at: expect.any(String),
    last_used_at: null,
  })
  expect(await list('?limit=1000&offset=2')).toEqual({
    data: whole.data.slice(2),
    total: 3,
    limit: 1_000,
    offset: 2,
  })
  expect(await list('?limit=1001')).toMatchObject({ limit: 50 })
  await ask(shared(), { api: it.admin }, ['DELETE', `${path}/${whole.data[0]?.id}`])
  expect(await list()).toMatchObject({ data: whole.data.slice(1), total: 2 })
})

test('case 22: revoking, its own key too; again and unknown are not found', async () => {
  const { body } = await issue({ scopes: ['partner:write'] })
  const path = `${it.path}/keys/${String(body['id'])}`
  const partner = String(body['api_key'])
  const revoked = await ask(shared(), { partner }, ['DELETE', path])
  expect([revoked.status, revoked.body]).toEqual([200, { message: 'key revoked' }])
  expect((await ask(shared(), { partner }, ['GET', it.path])).status).toBe(401)
  const missing = restError(404, 'not_found', 'key not found')
  const foreign = await createPartnerKey(it.ctx, (await newPartner(it.ctx)).id, { scopes: ['partner:read'] })
  for (const id of [String(body['id']), foreign.key.id, randomUUID(), 'nonsense'])
    expect(await ask(shared(), { api: it.admin }, ['DELETE', `${it.path}/keys/${id}`])).toEqual(missing)
})

test('a revoked key is refused by the next request on another node', async () => {
  const first = await testApp()
  const second = await testApp({ where: first.where })
  const { ctx, admin, partner, path } = await partnerScene(first)
  for (let n = 0; n < 20; n += 1) {
    const { key, secret } = await createPartnerKey(ctx, partner.id, { scopes: ['partner:read'] })
    expect((await ask(second, { partner: secret }, ['GET', path])).status).toBe(200)
    await ask(first, { api: admin }, ['DELETE', `${path}/keys/${key.id}`])
    expect((await ask(second, { partner: secret }, ['GET', path])).status).toBe(401)
  }
})

test('the use of a key is noted, and what it does is told as its own in the audit log', async () => {
  const { key, secret } = await createPartnerKey(it.ctx, it.partner.id, { scopes: ['partner:write'] })
  await issue({ name: 'by a key', scopes: ['partner:read'] }, { partner: secret })
  await expect
    .poll(async () => {
      const { items } = await listPartnerKeys(it.ctx, it.partner.id, { limit: 1_000, offset: 0 })
      return items.find(({ id }) => id === key.id)?.lastUsedAt
    })
    .toMatch(/Z$/)
  const { items } = await searchAudit(it.ctx, { actorId: key.id, limit: 10, offset: 0 })
  expect(items).toMatchObject([
    {
      actor: { kind: 'partner_key', id: key.id },
      action: 'partner_key.created',
      address: '127.0.0.1',
      details: { partnerId: it.partner.id, name: 'by a key' },
    },
  ])
})

test('the total of a list is of its page, whatever comes meanwhile', async () => {
  const ctx = await shared().newTenant()
  const partner = await newPartner(ctx)
  await keyOf(ctx, partner)
  const reader = whileOthersWrite(ctx, () => keyOf(ctx, partner))
  const { items, total } = await listPartnerKeys(reader, partner.id, { limit: 50, offset: 0 })
  expect(total).toBe(items.length)
})
