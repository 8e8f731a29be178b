import { Type } from 'typebox'
import { expect, test, vi } from 'vitest'
import { features } from '../../../app.ts'
import { createKey } from '#features/api-keys/api-keys.ts'
import { listNoticeDeliveries } from '#features/notices/notices.ts'
import { createPartner, createPartnerKey } from '#features/partners/partners.ts'
import { route } from '#platform/http/route.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'

const deprecated = { since: '2026-03-14', sunset: '2027-04-01', link: '/docs/api/changes' }
const shape = { summary: 'Old', reply: Type.Object({}), deprecated }
const answer = async () => ({ json: {} })
const rest = [
  route('GET', '/old-things/:id', shape, answer),
  route('GET', '/old-list', shape, answer),
  route('GET', '/partners/:id/old', { ...shape, confinedScope: 'partner:read' }, answer),
]
const others = features.map((it) => ({ ...it, gauges: [] }))
const THING = '/old-things/11111111-2222-4333-8444-555555555555'

/** An app with deprecated endpoints, a tenant with its administrator, and a clock. */
async function lab() {
  const clock = { now: new Date('2026-06-01T09:00:00Z') }
  const app = await testApp({
    features: [...others, { name: 'old-things', tables: {}, rest }],
    now: () => clock.now,
    publicUrl: 'https://inventory.example.org',
  })
  const ctx = await app.newTenant()
  const admin = await newPerson(app, ctx, { isAdmin: true })
  const told = async () =>
    (await listNoticeDeliveries(ctx, { limit: 50, offset: 0 })).items
      .map(({ recipient, subject }) => [recipient, subject])
      .toReversed()
  return { app, ctx, admin, clock, told }
}

const keyOf = async (ctx: Parameters<typeof createKey>[0], name: string) =>
  createKey(ctx, { name, scopes: ['admin'], expiresInDays: 'never' })

/** What is written after an answer, by the last of the requests as well: an endpoint of its own is told of, too. */
async function untilTold(told: () => Promise<unknown[]>, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await told()).toHaveLength(count), { timeout: 10_000, interval: 20 })
}

const get = ({ as }: TestApp, secret: string, path: string) => as(secret).get(path)

test('whoever made a key is told that it calls a deprecated endpoint, once and then weekly until the sunset', async () => {
  const { app, ctx, clock, told } = await lab()
  const maker = await newPerson(app, ctx, { isAdmin: true })
  const { key, secret } = await keyOf(
    { ...ctx, actor: { ...ctx.actor, kind: 'user', id: maker.id } },
    'nightly export',
  )
  for (let n = 0; n < 3; n += 1) expect((await get(app, secret, THING)).status).toBe(200)
  const name = `The API key nightly export (${key.prefix}…)`
  const first = [maker.email, `${name} calls GET /old-things/{id}, which goes on 2027-04-01`]
  await untilTold(told, 1)
  expect(await told()).toEqual([first])
  await get(app, secret, '/old-list')
  await untilTold(told, 2)
  clock.now = new Date('2026-06-08T08:59:00Z')
  await get(app, secret, THING)
  clock.now = new Date('2026-06-08T09:00:00Z')
  await get(app, secret, THING)
  await untilTold(told, 3)
  expect((await told())[2]).toEqual(first)
  clock.now = new Date('2027-04-01T00:00:00Z')
  expect((await get(app, secret, THING)).status).toBe(410)
  clock.now = new Date('2026-06-20T00:00:00Z')
  await get(app, secret, THING)
  await untilTold(told, 4)
})

test('when nobody knows who made it, all who may manage such keys are told', async () => {
  const { app, ctx, admin, told } = await lab()
  const reader = await newPerson(app, ctx, { isAdmin: false })
  const { secret } = await keyOf(ctx, 'old script')
  await get(app, secret, '/old-list')
  await untilTold(told, 1)
  const partner = await createPartner(ctx, { name: 'Acme', slug: 'acme', email: 'it@acme.example' })
  const issued = await createPartnerKey(ctx, partner.id, { scopes: ['partner:read'] })
  await app
    .as()
    .send('GET', `/api/v1/partners/${partner.id}/old`, { headers: { 'x-partner-key': issued.secret } })
  await untilTold(told, 2)
  const recipients = (await told()).map(([recipient]) => recipient)
  expect(recipients).toEqual([admin.email, admin.email])
  expect(recipients).not.toContain(reader.email)
  const subjects = (await told()).map(([, subject]) => subject).join('\n')
  expect(subjects).toContain(`A key of the partner Acme (${issued.key.prefix}…) calls GET /partners/{id}/old`)
})

test('endpoints that stay tell nobody', async () => {
  const { app, ctx, told } = await lab()
  const { secret } = await keyOf(ctx, 'script')
  expect((await get(app, secret, '/assets')).status).toBe(200)
  expect((await get(app, secret, '/old-list')).status).toBe(200)
  await untilTold(told, 1)
  expect((await told())[0]?.[1]).toContain('GET /old-list')
})
