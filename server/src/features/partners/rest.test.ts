import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { restError } from '#test/support/http/error-response.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { createKey } from '#features/api-keys/api-keys.ts'
import { createPartnerKey, revokePartnerKey } from './partner-keys.ts'
import {
  ask,
  expireKey,
  keyOf,
  newPartner,
  partnerScene,
  slug,
  type PartnerScene,
} from './partners.fixture.ts'
import { deletePartner, updatePartner } from './partners.ts'
import { rest } from './rest.ts'

// The order of a request: counted, one header, known, endpoint and method, who may, whose id, scope, other ids, body,
// state. The numbers are those of the table of cases.

const shared = sharedTestApp()
let one: PartnerScene
let other: PartnerScene
beforeAll(async () => {
  one = await partnerScene(shared())
  other = await partnerScene(shared())
})

type Line = readonly [method: string, path: string, body?: unknown]
const newBody = () => ({ name: 'n', slug: slug(), email: 'a@b' })
/** Every route, at a partner. */
const linesAt = (path: string): Line[] =>
  rest.map(({ method, path: route, shape }): Line => {
    const whole = route.replace('/partners/:id', path).replace(':tenantId', one.ctx.tenantId)
    return [method, whole.replaceAll(/:\w+/g, randomUUID()), shape.body ? {} : undefined]
  })
const INVALID = restError(401, 'unauthorized', 'Invalid or expired credentials')
const NOT_FOUND = restError(404, 'not_found', 'partner not found')

test('there are eleven routes', () => {
  expect(rest).toHaveLength(11)
})

test('case 1: no header', async () => {
  const missing = restError(401, 'unauthorized', 'Missing X-API-Key header')
  for (const line of linesAt(one.path)) expect(await ask(shared(), {}, line)).toEqual(missing)
  expect(await ask(shared(), { partner: '' }, ['GET', one.path])).toEqual(missing)
})

test('case 2: both headers, whatever their values', async () => {
  const both = restError(400, 'invalid_request', 'send exactly one of X-Partner-Key and X-API-Key')
  for (const [api, partner] of [
    [one.admin, one.all],
    [one.admin, ''],
    ['', one.all],
    ['', ''],
    ['nonsense', 'nonsense'],
  ] as const)
    for (const path of ['/partners', one.path, '/partners/nonsense', '/partners/a/b/c/d'])
      expect(await ask(shared(), { api, partner }, ['GET', path])).toEqual(both)
})

test('case 2: both headers are counted under the API key', async () => {
  const app = await testApp({ http: { rateLimitPerMinute: 3 } })
  const { admin, all, path } = await partnerScene(app)
  const left = async (keys: object) => (await ask(app, keys, ['GET', path])).headers['x-ratelimit-remaining']
  expect(await left({ api: admin, partner: all })).toBe('2')
  expect(await left({ api: admin })).toBe('1')
  expect(await left({ partner: all })).toBe('2')
})

test('case 3: an API key without admin, on every route', async () => {
  for (const scopes of [['read'], ['write'], ['recognition:read']]) {
    const { secret } = await createKey(one.ctx, { name: 'k', scopes })
    for (const line of linesAt(one.path))
      expect(await ask(shared(), { api: secret }, line)).toEqual(
        restError(403, 'forbidden', 'API key lacks required scope: admin'),
      )
  }
})

test('case 4: a partner key on create, list and delete of partners', async () => {
  for (const line of [
    ['POST', '/partners', newBody()],
    ['POST', '/partners', {}],
    ['GET', '/partners'],
    ['DELETE', one.path],
    ['DELETE', other.path],
    ['DELETE', `/partners/${randomUUID()}`],
    ['DELETE', '/partners/nonsense'],
  ] as const)
    expect(await ask(shared(), { partner: one.all }, line)).toEqual(restError(403, 'forbidden'))
  expect((await ask(shared(), { api: one.admin }, ['GET', one.path])).status).toBe(200)
})

describe('case 5: a partner key that does not work', () => {
  test.each([
    'nonsense',
    `pk_${'f'.repeat(64)}`,
    'f'.repeat(64),
    `PK_${'f'.repeat(64)}`,
    `pk_${'F'.repeat(64)}`,
  ])('unknown or malformed: %.12s…', async (partner) => {
    for (const line of linesAt(one.path)) expect(await ask(shared(), { partner }, line)).toEqual(INVALID)
    expect(await ask(shared(), { partner }, ['GET', '/partners/a/b/c/d'])).toEqual(INVALID)
    expect(await ask(shared(), { partner }, ['PATCH', one.path])).toEqual(INVALID)
  })

  test('revoked, expired, of a partner whose API is off or who is deleted', async () => {
    const { ctx } = one
    const partner = await newPartner(ctx)
    const path = `/partners/${partner.id}`
    const status = async (key: string) => ask(shared(), { partner: key }, ['GET', path])
    const revoked = await createPartnerKey(ctx, partner.id, { scopes: ['partner:read'] })
    const expired = await createPartnerKey(ctx, partner.id, { scopes: ['partner:read'] })
    const good = await keyOf(ctx, partner)
    for (const key of [revoked.secret, expired.secret, good]) expect((await status(key)).status).toBe(200)
    await revokePartnerKey(ctx, partner.id, revoked.key.id)
    await expireKey(ctx, expired.key.prefix)
    expect(await status(revoked.secret)).toEqual(INVALID)
    expect(await status(expired.secret)).toEqual(INVALID)
    await updatePartner(ctx, partner.id, { apiEnabled: false })
    expect(await status(good)).toEqual(INVALID)
    await updatePartner(ctx, partner.id, { apiEnabled: true })
    expect((await status(good)).status).toBe(200)
    await deletePartner(ctx, partner.id)
    expect(await status(good)).toEqual(INVALID)
  })
})

test('case 6: each key in the header of the other', async () => {
  expect(await ask(shared(), { partner: one.admin }, ['GET', one.path])).toEqual(INVALID)
  expect(await ask(shared(), { api: one.all }, ['GET', one.path])).toEqual(
    restError(401, 'unauthorized', 'Invalid or expired API key'),
  )
})

test('case 7: a partner key elsewhere is no key, and beside an API key is ignored', async () => {
  for (const path of ['/assets', '/scans', '/partnersx', '/nothing', ''])
    expect(await ask(shared(), { partner: one.all }, ['GET', path])).toEqual(
      restError(401, 'unauthorized', 'Missing X-API-Key header'),
    )
  for (const partner of [one.all, '', 'nonsense'])
    expect((await ask(shared(), { api: one.admin, partner }, ['GET', '/assets'])).status).toBe(200)
})

const needs: readonly (readonly [Line, string])[] = [
  [['GET', ''], 'partner:read'],
  [['GET', '/keys'], 'partner:read'],
  [['POST', '/keys', { scopes: ['partner:read'] }], 'partner:write'],
  [['DELETE', `/keys/${randomUUID()}`], 'partner:write'],
  [['GET', '/webhooks'], 'webhook:read'],
  [['POST', '/webhooks', {}], 'webhook:write'],
  [['DELETE', `/webhooks/${randomUUID()}`], 'webhook:write'],
  [['GET', '/quota/tenant'], 'partner:read'],
]

test.each(needs)('case 8: %s needs its scope', async ([method, path, body], scope) => {
  for (const held of ['partner:read', 'partner:write', 'webhook:read', 'webhook:write']) {
    const partner = await keyOf(one.ctx, one.partner, [held])
    const answer = await ask(shared(), { partner }, [method, one.path + path, body])
    const isEnough = held === scope || held === scope.replace('read', 'write')
    const lacking = `API key lacks required scope: ${scope}`
    expect((answer.body as { message?: string }).message === lacking).toBe(!isEnough)
    expect(answer.status === 403).toBe(!isEnough)
  }
})

test('case 9: a partner key with any other id, whatever its scopes and the body', async () => {
  const same = await newPartner(one.ctx)
  const ids = [same.id, other.partner.id, randomUUID(), 'nonsense', '%20', 'a%2fb']
  for (const scopes of [undefined, ['webhook:read']]) {
    const partner = await keyOf(one.ctx, one.partner, scopes)
    for (const id of ids)
      for (const [method, path, body] of linesAt(`/partners/${id}`).filter(
        ([method, path]) => path !== '/partners' && !(method === 'DELETE' && path === `/partners/${id}`),
      ))
        expect(await ask(shared(), { partner }, [method, path, body])).toEqual(NOT_FOUND)
  }
})

test('case 10: an API key with the partner of another tenant; the id comes before the body', async () => {
  for (const id of [other.partner.id, randomUUID(), 'nonsense'])
    for (const line of linesAt(`/partners/${id}`).filter(([, path]) => path !== '/partners'))
      expect(await ask(shared(), { api: one.admin }, line)).toEqual(NOT_FOUND)
  expect((await ask(shared(), { api: other.admin }, ['GET', other.path])).status).toBe(200)
})

test('case 30: HEAD as GET; other methods and unknown endpoints once the key is known', async () => {
  for (const keys of [{ api: one.admin }, { partner: one.all }]) {
    for (const path of ['', '/keys', '/webhooks', `/quota/${one.ctx.tenantId}`]) {
      const head = await ask(shared(), keys, ['HEAD', one.path + path])
      expect([head.status, head.text]).toEqual([200, ''])
      const wrong = await ask(shared(), keys, ['PATCH', one.path + path])
      expect(wrong).toEqual(restError(405, 'method_not_allowed'))
      expect(wrong.headers.allow).toMatch(/GET, HEAD/)
    }
    expect(await ask(shared(), keys, ['GET', `${one.path}/nothing`])).toEqual(
      restError(404, 'not_found', 'endpoint not found'),
    )
  }
  expect((await ask(shared(), { partner: one.all }, ['HEAD', '/partners'])).status).toBe(403)
  expect((await ask(shared(), { partner: one.all }, ['PATCH', other.path])).status).toBe(405)
})
