import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { revokeKey, rotateKey, createKey, listKeys } from '#features/api-keys/api-keys.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { restError } from '#test/support/http/error-response.ts'
import { testApp, type TestAppOptions, type TestApp } from '#test/support/app/test-app.ts'

const LIMIT = 100
const exact = { http: { rateLimitPerMinute: LIMIT } }

/** Processes of one installation, as far as the database can tell. */
async function nodes(count: number, options: TestAppOptions = exact): Promise<TestApp[]> {
  const first = await testApp(options)
  const more = Array.from({ length: count - 1 }, () => testApp({ ...options, where: first.where }))
  return [first, ...(await Promise.all(more))]
}

function tally<T>(values: readonly T[]): Map<T, number> {
  return new Map([...Map.groupBy(values, (value) => value)].map(([value, group]) => [value, group.length]))
}

test.each([1, 3])('of 500 requests at once on %i nodes exactly 100 are heard', async (count) => {
  const installation = await nodes(count)
  const [first] = installation as [TestApp]
  const key = await first.key(await first.newTenant())
  const callers = installation.map(({ as }) => as(key))
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => (callers[n % count] as Caller).get('/nothing')),
  )
  expect(tally(answers.map((answer) => answer.status))).toEqual(
    new Map([
      [404, LIMIT],
      [429, 400],
    ]),
  )
  const left = answers
    .filter((answer) => answer.status === 404)
    .map((it) => Number(it.headers['x-ratelimit-remaining']))
  expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: LIMIT }, (_, n) => LIMIT - 1 - n))
  expect(new Set(answers.map((answer) => answer.headers['x-ratelimit-reset'])).size).toBe(1)
})

test('a 429 carries Retry-After', async () => {
  const { as, key, newTenant } = await testApp({ http: { rateLimitPerMinute: 1 } })
  const caller = as(await key(await newTenant()))
  expect(await caller.get('/nothing')).toMatchObject({ headers: { 'x-ratelimit-remaining': '0' } })
  for (let again = 0; again < 3; again += 1) {
    const answer = await caller.get<{ retry_after: number }>('/nothing')
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' },
      body: {
        error: 'rate_limit_exceeded',
        message: 'Rate limit exceeded. Please try again later.',
        retry_after: expect.any(Number) as unknown,
      },
    })
    const reset = Number(answer.headers['x-ratelimit-reset'])
    expect(answer.headers['retry-after']).toBe(String(Math.ceil(answer.body.retry_after)))
    expect(Math.abs(Date.now() / 1000 + answer.body.retry_after - reset)).toBeLessThan(3)
  }
})

test('who is over its limit is not looked up again in its minute', async () => {
  const { as, key, newTenant, runtime } = await testApp({ http: { rateLimitPerMinute: 1 } })
  const caller = as(await key(await newTenant()))
  for (let n = 0; n < 20; n += 1) await caller.get('/nothing')
  const { used } = await runtime.system.db.one(
    sql<{ used: number }>`select max(used) as used from rate_windows`,
  )
  expect(used).toBe(2)
})

test('a window that has ended begins anew with the next request', async () => {
  const [first, second] = (await nodes(2, { http: { rateLimitPerMinute: 1 } })) as [TestApp, TestApp]
  const key = await first.key(await first.newTenant())
  await first.as(key).get('/nothing')
  expect((await first.as(key).get('/nothing')).status).toBe(429)
  await first.runtime.system.db.run(sql`update rate_windows set ends_at = now()`)
  expect(await second.as(key).get('/nothing')).toMatchObject({
    status: 404,
    headers: { 'x-ratelimit-remaining': '0' },
  })
})

test('every kind of answer counts, each caller for itself', async () => {
  const { as, key, newTenant } = await testApp(exact)
  const ctx = await newTenant()
  const [one, other] = [as(await key(ctx)), as(await key(ctx))]
  const remaining = []
  for (const [method, path] of [
    ['GET', '/api/v1/x'],
    ['GET', '/api/v1/%zz'],
    ['PROPFIND', '/api/v1/x'],
    ['GET', '/nothing'],
  ] as const)
    remaining.push((await one.send(method, path)).headers['x-ratelimit-remaining'])
  expect(remaining).toEqual(['99', '98', '97', '96'])
  expect((await other.get('/x')).headers['x-ratelimit-remaining']).toBe('99')
})

test.each(['a'.repeat(64), 'nonsense', 'x'.repeat(5_000)])(
  'the key %.9s… opens nothing and is counted by itself',
  async (key) => {
    const { as } = await testApp({ http: { rateLimitPerMinute: 2 } })
    expect(await as(key).get('/x')).toMatchObject({ status: 401, headers: { 'x-ratelimit-remaining': '1' } })
    expect(await as().get('/x')).toMatchObject({ status: 401, headers: { 'x-ratelimit-remaining': '1' } })
    expect(await as(key).get('/x')).toMatchObject({ status: 401, headers: { 'x-ratelimit-remaining': '0' } })
    expect((await as(key).get('/x')).status).toBe(429)
  },
)

test('keys that cannot be do not reach the database', async () => {
  const { as, runtime } = await testApp(exact)
  for (let n = 0; n < 5; n += 1) await as(`nonsense ${n}`).get('/x')
  expect(await runtime.system.db.all(sql`select from rate_windows`)).toEqual([])
})

test('without a key the address counts, as far as proxies are trusted', async () => {
  const told = { 'x-forwarded-for': '203.0.113.1, 198.51.100.7' }
  const remaining = async ({ as }: TestApp, headers: Record<string, string>) =>
    (await as().send('GET', '/api/v1/x', { headers })).headers['x-ratelimit-remaining']
  const alone = await testApp(exact)
  expect(await remaining(alone, {})).toBe('99')
  expect(await remaining(alone, told)).toBe('98')
  const behind = await testApp({ http: { rateLimitPerMinute: LIMIT, trustedProxies: ['127.0.0.0/8'] } })
  expect(await remaining(behind, told)).toBe('99')
  expect(await remaining(behind, {})).toBe('99')
  expect(await remaining(behind, { 'x-forwarded-for': '203.0.113.2, 198.51.100.7' })).toBe('98')
})

test('a key that is revoked, rotated or expired is refused by every node from the next request on', async () => {
  const [first, second] = (await nodes(2, {})) as [TestApp, TestApp]
  const ctx = await first.newTenant()
  const refused = restError(401, 'unauthorized', 'Invalid or expired API key')
  const end = [
    (id: string) => revokeKey(ctx, id),
    (id: string) => rotateKey(ctx, id),
    (id: string) => ctx.db.run(sql`update api_keys set expires_at = now() where id = ${id}`),
  ]
  for (const ending of end) {
    const { key, secret } = await createKey(ctx, { name: 'k', scopes: ['read'] })
    expect((await second.as(secret).get('/x')).status).toBe(404)
    await ending(key.id)
    expect(await second.as(secret).get('/x')).toEqual(refused)
    expect(await first.as(secret).get('/x')).toEqual(refused)
  }
})

test('1,000 revocations on one node, none outlived on another', async () => {
  const [first, second] = (await nodes(2, {})) as [TestApp, TestApp]
  const ctx = await first.newTenant()
  const outlived = await Promise.all(
    Array.from({ length: 20 }, async () => {
      let accepted = 0
      for (let n = 0; n < 50; n += 1) {
        const { key, secret } = await createKey(ctx, { name: 'k', scopes: ['read'] })
        await revokeKey(ctx, key.id)
        if ((await second.as(secret).get('/x')).status !== 401) accepted += 1
      }
      return accepted
    }),
  )
  expect(outlived).toEqual(Array(20).fill(0))
})

test('the use of a key is noted without holding up the answer', async () => {
  const { as, key, newTenant } = await testApp()
  const ctx = await newTenant()
  const caller = as(await key(ctx))
  await caller.get('/x')
  await expect.poll(async () => (await listKeys(ctx))[0]?.lastUsedAt).toMatch(/Z$/)
})
