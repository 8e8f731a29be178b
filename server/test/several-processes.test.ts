import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createKey, revokeKey } from '#features/api-keys/api-keys.ts'
import { emit } from '#features/events/events.ts'
import { listReplays, replayEvents } from '#features/webhooks/history/replay.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { callerAt } from './support/http/api-client.ts'
import { testApp } from './support/app/test-app.ts'
import { onDatabase, rollcall, serve, until } from './support/processes/rollcall-process.ts'
import { receiver } from './support/http/webhook-receiver.ts'

/** An app in this process, and the environment of others on the same database. */
async function installation() {
  const secretKey = randomBytes(32).toString('hex')
  const home = await testApp({ secretKey })
  return { home, environment: onDatabase(home.where, secretKey) }
}

/** Thousands of requests to processes that share the machine with other tests. */
const LONG = { timeout: 180_000 }
const LIMIT = 100
const LOAD = 10 * LIMIT

test(
  'three servers under ten times the load let exactly the limit pass, and none accepts a revoked key',
  LONG,
  async () => {
    const { home, environment } = await installation()
    const servers = await Promise.all([serve(environment), serve(environment), serve(environment)])
    const ctx = await home.newTenant()

    const statuses = async (apiKey?: string): Promise<Counts> => {
      const callers = servers.map(({ address }) => callerAt(() => Promise.resolve(address), apiKey))
      const answers = await Promise.all(
        Array.from({ length: LOAD }, async (_, n) => {
          const caller = callers[n % callers.length]
          return (await caller?.send('GET', '/api/v1/assets'))?.status ?? 0
        }),
      )
      const counts: Counts = {}
      for (const status of answers) counts[status] = (counts[status] ?? 0) + 1
      return counts
    }
    const { secret } = await createKey(ctx, { name: 'busy', scopes: ['read'] })
    expect(await statuses(secret)).toEqual({ 200: LIMIT, 429: LOAD - LIMIT })
    expect(await statuses()).toEqual({ 401: LIMIT, 429: LOAD - LIMIT })

    const { before, afterwards } = await revokedPairs(
      ctx,
      servers.map((it) => it.address),
    )
    expect({ before, afterwards }).toEqual({ before: { 200: PAIRS }, afterwards: { 401: 2 * PAIRS } })
  },
)

/** How often each status was answered. */
type Counts = Record<number, number>

const PAIRS = 1_000
const AT_ONCE = 10

/** Keys that a server has just let in, revoked by this process, and presented to the same server and to another. */
async function revokedPairs(
  ctx: Ctx,
  addresses: readonly string[],
): Promise<{ before: Counts; afterwards: Counts }> {
  const [before, afterwards]: [Counts, Counts] = [{}, {}]
  const statusAt = async (n: number, apiKey: string) => {
    const address = addresses[n % addresses.length] ?? ''
    return (await callerAt(() => Promise.resolve(address), apiKey).send('GET', '/api/v1/assets?limit=1'))
      .status
  }
  let next = 0
  const work = async (): Promise<void> => {
    for (let n = next++; n < PAIRS; n = next++) {
      const { key, secret } = await createKey(ctx, { name: `pair ${n}`, scopes: ['read'] })
      const status = await statusAt(n, secret)
      before[status] = (before[status] ?? 0) + 1
      await revokeKey(ctx, key.id)
      const after = await Promise.all([statusAt(n, secret), statusAt(n + 1, secret)])
      for (const status of after) afterwards[status] = (afterwards[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { before, afterwards }
}

const HAPPENED = 8_000

test('a replay goes on where it was when the server that works on it is killed', LONG, async () => {
  const { home, environment } = await installation()
  const ctx = await home.newTenant()
  const there = await receiver()
  const events = Array.from({ length: HAPPENED }, (_, n) => ({ type: 'NEW_SOURCE', payload: { n } }) as const)
  await atomically(ctx, (ctx) => emit(ctx, events))
  const { endpoint } = await createEndpoint(ctx, { name: 'x', url: there.url, events: ['NEW_SOURCE'] })
  const order = { endpointId: endpoint.id, since: '2020-01-01T00:00:00.000Z', onlyMissed: false }
  await replayEvents(ctx, order)
  const progress = async () => (await listReplays(ctx, endpoint.id))[0]
  const allowed = { ...environment, WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' }

  const first = await serve(allowed)
  await until(async () => ((await progress())?.deliveries ?? 0) > 0)
  await first.signal('SIGKILL')
  expect((await progress())?.finishedAt).toBeNull()
  await serve(allowed)
  await until(async () => (await progress())?.finishedAt)
  expect((await progress())?.deliveries).toBe(HAPPENED)
  const ids = () => new Set(there.requests.map((it) => it.headers['x-service-event-id'])).size
  await until(() => ids() === HAPPENED)
  const { made } = await ctx.db.one(sql<{ made: number }>`
    select (select count(*) from webhook_deliveries) + (select count(*) from webhook_delivery_log) as made`)
  expect(made).toBe(HAPPENED)
})

test('a server is no receiver of its own deliveries, though the operating system chose its port', async () => {
  const { home, environment } = await installation()
  const ctx = await home.newTenant()
  const there = await receiver()
  const server = await serve({ ...environment, WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' })
  const wanted = { name: 'x', events: ['NEW_SOURCE'] }
  await createEndpoint(ctx, { ...wanted, url: `${server.address}/api/v1/assets` })
  await createEndpoint(ctx, { ...wanted, url: there.url })
  await atomically(ctx, (ctx) => emit(ctx, [{ type: 'NEW_SOURCE', payload: {} }]))
  const attempts = await until(async () => {
    const all = await ctx.db.all(sql<{ status: number; fault: string; phase: string }>`
      select status, fault, phase from webhook_attempts
      union select http_status, null, phase from webhook_delivery_log where ms is not null order by 1`)
    return all.length === 2 && all
  })
  expect(attempts).toEqual([
    { status: 200, fault: null, phase: 'read' },
    { status: null, fault: 'address_refused', phase: 'dns' },
  ])
})

test('the command line asks for a tenant only where several could be meant', LONG, async () => {
  const { home, environment } = await installation()
  const there = await receiver()
  const run = async (...words: string[]) => {
    const { code, out } = await rollcall([...words, '--json'], {
      ...environment,
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    })
    return { code, json: JSON.parse(out) as Record<string, unknown> }
  }
  const create = ['webhook', 'create', '--name', 'n', '--url', there.url, '--events', 'NEW_ASSET']
  expect(await run('webhook', 'list')).toMatchObject({ code: 2, json: { error: 'usage' } })
  const ctx = await home.newTenant()
  const { json } = await run(...create, '--header', 'X-Team: ops', '--header', 'Authorization: Bearer b')
  expect(json).toMatchObject({ headers: ['X-Team', 'Authorization'] })
  await home.newTenant()
  expect(await run('webhook', 'list')).toMatchObject({
    code: 2,
    json: { error: 'usage', message: expect.stringMatching(/^--tenant is missing: there are t-\w+, t-\w+$/) },
  })
  const id = String(json['id'])
  expect(await run('webhook', 'test', id)).toMatchObject({ code: 0, json: { success: true } })
  expect(there.requests[0]?.headers).toMatchObject({ 'x-team': 'ops', authorization: 'Bearer b' })
  await atomically(ctx, (ctx) => emit(ctx, [{ type: 'NEW_ASSET', payload: {} }]))
  const { id: delivery } = await ctx.db.one(sql<{ id: number }>`select id from webhook_deliveries`)
  expect(await run('webhook', 'delivery', String(delivery))).toMatchObject({
    code: 0,
    json: { webhook_id: id, status: 'Pending', log: [] },
  })
  const nobodys = 'dddddddd-dddd-4ddd-8ddd-dddddddddddd'
  for (const words of [
    ['webhook', 'delete', nobodys],
    ['webhook', 'resend', '77'],
    ['key', 'revoke', nobodys],
    ['asset', 'explain', nobodys],
    ['scan', 'start', '--target', nobodys],
  ])
    expect(await run(...words)).toMatchObject({ code: 1, json: { error: 'not_found' } })
})
