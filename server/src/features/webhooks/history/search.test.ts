import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { receiver, type Reply } from '#test/support/http/webhook-receiver.ts'
import { startEngine } from '../delivery/engine.ts'
import * as webhooks from '../webhooks.ts'

const page = { limit: 50, offset: 0 }
const wanted = { name: 'ops', events: ['NEW_SOURCE', 'SCAN_COMPLETED'] }
const happen = (ctx: Ctx, type: 'NEW_SOURCE' | 'SCAN_COMPLETED' | 'UNLINK' = 'NEW_SOURCE') =>
  atomically(ctx, (ctx) => emit(ctx, [{ type, payload: {} }]))

async function scene(reply: () => Reply | Promise<Reply> = () => 200) {
  const home = await testApp()
  const ctx = await home.newTenant()
  const there = await receiver(reply)
  const make = async (more: Partial<webhooks.NewEndpoint> = {}) =>
    (await webhooks.createEndpoint(ctx, { ...wanted, url: there.url, ...more })).endpoint.id
  return { home, ctx, there, make }
}

test('deliveries of all receivers are found together, by type and by receiver', async () => {
  const { home, ctx, make } = await scene()
  const [one, two] = [await make(), await make({ events: ['SCAN_COMPLETED'] })]
  await happen(ctx)
  await happen(ctx, 'SCAN_COMPLETED')
  const found = async (more: object, who = ctx) =>
    (await webhooks.listDeliveries(who, { ...page, ...more })).items.map((it) => [
      it.endpointId,
      it.eventType,
    ])
  const all = await found({})
  expect(all).toHaveLength(3)
  expect(all).toEqual(
    expect.arrayContaining([
      [one, 'NEW_SOURCE'],
      [one, 'SCAN_COMPLETED'],
      [two, 'SCAN_COMPLETED'],
    ]),
  )
  expect(await found({ eventType: 'NEW_SOURCE' })).toEqual([[one, 'NEW_SOURCE']])
  expect(await found({ endpointId: two })).toEqual([[two, 'SCAN_COMPLETED']])
  expect(await found({}, await home.newTenant())).toEqual([])
})

test('what happened while a receiver was disabled is found as not delivered, until it is', async () => {
  const { ctx, make } = await scene()
  const id = await make()
  await happen(ctx)
  await webhooks.updateEndpoint(ctx, id, { active: false })
  await happen(ctx)
  await happen(ctx, 'UNLINK')
  await webhooks.updateEndpoint(ctx, id, { active: true })
  await happen(ctx)
  const missed = await webhooks.listMissed(ctx, { endpointId: id, ...page })
  expect(missed).toMatchObject({ total: 1, items: [{ endpointId: id, eventType: 'NEW_SOURCE' }] })
  expect((await webhooks.listMissed(ctx, { eventType: 'SCAN_COMPLETED', ...page })).total).toBe(0)
  expect((await webhooks.listMissed(ctx, { since: '2999-01-01T00:00:00Z', ...page })).total).toBe(0)
  expect((await webhooks.listDeliveries(ctx, { endpointId: id, ...page })).total).toBe(2)
  const late = await make({ active: false })
  await happen(ctx)
  expect(await webhooks.listMissed(ctx, { endpointId: late, ...page })).toMatchObject({ total: 1 })
  expect((await webhooks.listMissed(ctx, page)).total).toBe(2)
})

test('a delivery tells of every attempt: its number, time, phase, answer or fault', async () => {
  let nth = 0
  const { home, ctx, make } = await scene(() => (response) => {
    nth += 1
    if (nth === 1) response.socket?.destroy()
    else response.writeHead(nth === 2 ? 503 : 204).end()
  })
  await make()
  const engine = startEngine(home.runtime, { schedule: () => 0.02 })
  onTestFinished(() => engine.stop())
  await happen(ctx)
  const { items } = await vi.waitFor(
    async () => {
      const found = await webhooks.listDeliveries(ctx, { status: 'Delivered', ...page })
      // what is listed and how many there are is asked one after the other
      expect(found).toMatchObject({ total: 1, items: [{ status: 'Delivered' }] })
      return found
    },
    { timeout: 20_000 },
  )
  const { delivery, attempts } = await webhooks.explainDelivery(ctx, items[0]?.id ?? '')
  expect(delivery).toEqual(items[0])
  const common = { startedAt: expect.stringMatching(/Z$/), ms: expect.any(Number), excerpt: null }
  expect(attempts).toEqual([
    { ...common, n: 1, phase: 'wait', status: null, fault: 'connection_lost' },
    { ...common, n: 2, phase: 'read', status: 503, fault: null },
    { ...common, n: 3, phase: 'read', status: 204, fault: null },
  ])
  const foreign = await home.newTenant()
  await expect(webhooks.explainDelivery(foreign, delivery.id)).rejects.toMatchObject({ status: 404 })
})

test('ten test deliveries a minute, whoever asks and wherever', async () => {
  const { home, ctx, there, make } = await scene()
  const id = await make()
  const { runtime } = await testApp({ where: home.where })
  const elsewhere = { ...runtime.contextFor(ctx.tenantId), seal: ctx.seal }
  const asked = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) => webhooks.testEndpoint(n % 2 === 0 ? ctx : elsewhere, id)),
  )
  expect(asked.filter((it) => it.status === 'fulfilled')).toHaveLength(10)
  expect(there.requests).toHaveLength(10)
  const refusal = asked.find((it) => it.status === 'rejected')
  expect(refusal?.reason).toMatchObject({ status: 429, extras: { retryAfterSeconds: expect.any(Number) } })
  await home.runtime.system.db.run(sql`update webhook_endpoints set tests_end_at = now()`)
  expect(await webhooks.testEndpoint(ctx, id)).toMatchObject({ success: true })
})

test('own headers and an own secret are used, sealed, and told by name alone', async () => {
  const { home, ctx, there, make } = await scene()
  const secret = 'partner-secret-of-32-characters!'
  const headers = { Authorization: 'Bearer hidden', 'X-Team': 'ops' }
  const id = await make({ secret, headers })
  await webhooks.testEndpoint(ctx, id)
  expect(there.requests[0]?.headers).toMatchObject({ authorization: 'Bearer hidden', 'x-team': 'ops' })
  const { whole } = await ctx.db.one(sql<{ whole: string }>`
    select (select string_agg(to_jsonb(e)::text, '') from webhook_endpoints e)
      || (select string_agg(to_jsonb(a)::text, '') from audit_entries a) as whole`)
  expect(whole).not.toMatch(/hidden|of-32-characters/)
  expect(await webhooks.listEndpoints(ctx)).toMatchObject([
    { headerNames: ['Authorization', 'X-Team'], secretPrefix: 'partner-' },
  ])
  const engine = startEngine(home.runtime)
  onTestFinished(() => engine.stop())
  await happen(ctx)
  await vi.waitFor(() => expect(there.requests).toHaveLength(2), { timeout: 20_000 })
  expect(there.requests[1]?.headers).toMatchObject({ authorization: 'Bearer hidden', 'x-team': 'ops' })
  expect(await webhooks.updateEndpoint(ctx, id, { headers: {} })).toMatchObject({ headerNames: [] })
  await webhooks.testEndpoint(ctx, id)
  expect(there.requests[2]?.headers).not.toHaveProperty('authorization')
})

test.each([
  [{ secret: 'short' }, /^secret: must have 32 to 128/],
  [{ secret: 'x'.repeat(129) }, /^secret: /],
  [{ secret: `${'x'.repeat(40)}\n` }, /^secret: /],
  [{ headers: { Host: 'x' } }, /^headers: /],
  [{ maxInFlight: 0 }, /^max_in_flight: /],
  [{ maxInFlight: 1.5 }, /^max_in_flight: /],
  [{ maxRate: 0 }, /^max_rate: /],
  [{ autoDisableDays: 61 }, /^auto_disable_days: /],
])('%j is refused', async (wrong, why) => {
  const { make } = await scene()
  await expect(make(wrong)).rejects.toThrow(why)
})

test('limits are set, kept by other changes, and taken away', async () => {
  const { ctx, make } = await scene()
  const id = await make({ maxInFlight: 2, maxRate: 0.5, autoDisableDays: 3 })
  const limits = { maxInFlight: 2, maxRate: 0.5, autoDisableDays: 3 }
  expect(await webhooks.updateEndpoint(ctx, id, { name: 'other' })).toMatchObject({
    name: 'other',
    ...limits,
  })
  const none = { maxInFlight: null, maxRate: null, autoDisableDays: null }
  expect(await webhooks.updateEndpoint(ctx, id, none)).toMatchObject({ name: 'other', ...none })
})

test.each<[string, number, (size: number) => Partial<webhooks.NewEndpoint>]>([
  ['name', 200, (n) => ({ name: 'x'.repeat(n) })],
  ['secret', 128, (n) => ({ secret: 'x'.repeat(n) })],
  ['max_in_flight', 1_000, (n) => ({ maxInFlight: n })],
  ['max_rate', 10_000, (n) => ({ maxRate: n })],
  ['auto_disable_days', 60, (n) => ({ autoDisableDays: n })],
])('%s of an endpoint goes to %i, and no further', async (field, most, given) => {
  const { make } = await scene()
  expect(await refusedBeyond(most, (size) => make(given(size)))).toBe(field)
})
