import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { rateLimitHeaders } from '#test/support/http/error-response.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { keyOf, newPartner, partnerScene, type PartnerScene } from './partners.fixture.ts'
import { deletePartner } from './partners.ts'

// Case 28: by client address, and by partner with all its keys together.

const trusting = { rateLimitPerMinute: 100, trustedProxies: ['127.0.0.0/8'] }
const from =
  (app: TestApp, address: string, { path }: PartnerScene) =>
  (partner: string) =>
    app.as().send<{ retry_after: number }>('GET', `/api/v1${path}`, {
      headers: { 'x-partner-key': partner, 'x-forwarded-for': address },
    })
const requestsToday = async ({ ctx, partner }: PartnerScene): Promise<number> => {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select coalesce(sum(n), 0)::int as n from partner_requests where tenant_id = ${ctx.tenantId} and partner_id = ${partner.id}`)
  return n
}
const refused = {
  status: 429,
  body: {
    error: 'rate_limit_exceeded',
    message: 'Rate limit exceeded. Please try again later.',
    retry_after: expect.any(Number) as unknown,
  },
}

test('the 101st request of one address is refused, whichever partner it is of, and counted for the day', async () => {
  const app = await testApp({ http: trusting })
  const scene = await partnerScene(app)
  const other = { ...scene, partner: await newPartner(scene.ctx) }
  await app.runtime.system.db.run(sql`update partners set rate_limit = 1000`)
  const [one, two] = [
    from(app, '198.51.100.1', scene),
    from(app, '198.51.100.1', { ...other, path: `/partners/${other.partner.id}` }),
  ]
  const [a, b] = [scene.all, await keyOf(other.ctx, other.partner)]
  for (let n = 1; n <= 100; n += 1) {
    const { status, headers } = await (n % 2 ? one(a) : two(b))
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([
      200,
      '100',
      String(100 - n),
    ])
  }
  const over = await one(a)
  expect(over).toMatchObject(refused)
  expect(over.headers).toMatchObject({
    ...rateLimitHeaders,
    'x-ratelimit-remaining': '0',
    'x-partner-ratelimit-limit': '1000',
    'x-partner-ratelimit-remaining': '949',
    'retry-after': String(Math.ceil(over.body.retry_after)),
  })
  expect([await requestsToday(scene), await requestsToday(other)]).toEqual([51, 50])
  expect((await from(app, '198.51.100.2', scene)(a)).status).toBe(200)
})

test('one more than the rate of the partner is refused from whatever address, with whatever key of it', async () => {
  const app = await testApp({ http: trusting })
  const scene = await partnerScene(app)
  await app.runtime.system.db.run(sql`update partners set rate_limit = 5`)
  const keys = [scene.all, await keyOf(scene.ctx, scene.partner)]
  const places = ['198.51.100.1', '2001:db8::1'].map((address) => from(app, address, scene))
  for (let n = 0; n < 5; n += 1) {
    const answer = await places[n % 2]?.(keys[n % 2] ?? '')
    expect([answer?.status, answer?.headers['x-partner-ratelimit-remaining']]).toEqual([200, String(4 - n)])
  }
  const over = await places[1]?.(keys[0] ?? '')
  expect(over).toMatchObject(refused)
  expect(over?.headers).toMatchObject({
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '97',
    'x-partner-ratelimit-limit': '5',
    'x-partner-ratelimit-remaining': '0',
    'x-partner-ratelimit-reset': expect.stringMatching(/^\d+$/),
    'retry-after': String(Math.ceil(over?.body.retry_after ?? 0)),
  })
  expect(await requestsToday(scene)).toBe(6)
  const other = await newPartner(scene.ctx)
  const path = `/partners/${other.id}`
  expect((await from(app, '198.51.100.1', { ...scene, path })(await keyOf(scene.ctx, other))).status).toBe(
    200,
  )
})

test('the longer of two waits is told', async () => {
  const app = await testApp({ http: { ...trusting, rateLimitPerMinute: 1 } })
  const scene = await partnerScene(app)
  await app.runtime.system.db.run(sql`update partners set rate_limit = 1`)
  const [one, two] = ['198.51.100.1', '198.51.100.2'].map((address) => from(app, address, scene))
  await one?.(scene.all)
  await app.runtime.system.db.run(sql`update rate_windows set ends_at = now() + interval '10 seconds'`)
  await two?.(scene.all)
  const over = await two?.(scene.all)
  expect(over?.status).toBe(429)
  expect(over?.body.retry_after).toBeGreaterThan(50)
})

test('requests at once on two nodes are all counted', async () => {
  const first = await testApp({ http: trusting })
  const second = await testApp({ where: first.where, http: trusting })
  const scene = await partnerScene(first)
  await first.runtime.system.db.run(sql`update partners set rate_limit = 30`)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => from(n % 2 ? first : second, `198.51.100.${n}`, scene)(scene.all)),
  )
  const statuses = answers.map((it) => String(it.status)).toSorted()
  expect(statuses).toEqual([...Array<string>(30).fill('200'), ...Array<string>(10).fill('429')])
  expect(await requestsToday(scene)).toBe(40)
})

test('keys that do not work are counted by address, and of no partner', async () => {
  const app = await testApp({ http: { ...trusting, rateLimitPerMinute: 4 } })
  const scene = await partnerScene(app)
  const ask = from(app, '198.51.100.1', scene)
  const statuses = []
  for (const key of [
    'nonsense',
    `pk_${'0'.repeat(64)}`,
    `pk_${'1'.repeat(64)}`,
    scene.all,
    'nonsense',
    `pk_${'0'.repeat(64)}`,
  ])
    statuses.push((await ask(key)).status)
  expect(statuses).toEqual([401, 401, 401, 200, 429, 429])
  expect(await requestsToday(scene)).toBe(1)
  await deletePartner(scene.ctx, scene.partner.id)
  expect((await from(app, '198.51.100.9', scene)(scene.all)).status).toBe(401)
  expect(await requestsToday(scene)).toBe(1)
})
