import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { receiver, type Received, type Reply } from '#test/support/http/webhook-receiver.ts'
import { startEngine, type EngineOptions } from './engine.ts'
import { sign } from './signature.ts'
import * as webhooks from '../webhooks.ts'

const page = { limit: 1_000, offset: 0 }
const QUICKLY: Partial<EngineOptions> = { schedule: (attempt) => (attempt < 10 ? 0.01 : undefined) }

function run({ runtime }: TestApp, options: Partial<EngineOptions> = {}) {
  const { database, system, contextFor } = runtime
  const engine = startEngine({ database, system, contextFor }, options)
  onTestFinished(() => engine.stop())
  return engine
}

async function withReceiver(reply?: (request: Received) => Reply | Promise<Reply>) {
  const home = await testApp()
  const ctx = await home.newTenant()
  const there = await receiver(reply)
  const { endpoint, secret } = await webhooks.createEndpoint(ctx, {
    name: 'ops',
    url: there.url,
    events: ['NEW_SOURCE'],
  })
  const records = async () => (await webhooks.listDeliveries(ctx, { endpointId: endpoint.id, ...page })).items
  return { home, ctx, there, endpoint, secret, records }
}

const emitMany = (ctx: Ctx, count: number) =>
  atomically(ctx, (ctx) =>
    emit(
      ctx,
      Array.from({ length: count }, (_, i) => ({
        type: 'NEW_SOURCE' as const,
        payload: { name: `source ${i}` },
      })),
    ),
  )

const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 50_000, interval: 20 })

function isSigned({ headers, body }: Received, secret: string): boolean {
  return headers['x-service-signature'] === sign(secret, body, String(headers['x-service-timestamp']))
}

const eventIds = (requests: readonly Received[]) =>
  requests.map((it) => String(it.headers['x-service-event-id']))

describe('a delivery', () => {
  test('arrives once, signed, with the headers of the contract, and is Delivered', async () => {
    const { home, ctx, there, secret, records } = await withReceiver()
    run(home)
    await emitMany(ctx, 1)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered' }]))
    const [record] = await records()
    expect(record).toMatchObject({ attempts: 1, lastError: null, finishedAt: expect.any(String) })
    expect(there.requests).toHaveLength(1)
    const [request] = there.requests as [Received]
    expect(request.method).toBe('POST')
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'NEW_SOURCE',
      'x-service-event-id': record?.eventId,
      'x-service-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    })
    expect(isSigned(request, secret)).toBe(true)
    expect(JSON.parse(String(request.body))).toEqual({ name: 'source 0', tenant_id: ctx.tenantId })
  })

  test('is tried ten times, the event the same, timestamp and signature fresh, then is a Dead letter', async () => {
    const { home, ctx, there, secret, records } = await withReceiver(() => 500)
    run(home, QUICKLY)
    await emitMany(ctx, 1)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Dead letter' }]))
    expect(await records()).toMatchObject([{ attempts: 10, lastError: 'the receiver answered 500' }])
    expect(there.requests).toHaveLength(10)
    expect(new Set(eventIds(there.requests)).size).toBe(1)
    expect(new Set(there.requests.map((it) => String(it.body))).size).toBe(1)
    expect(new Set(there.requests.map((it) => it.headers['x-service-timestamp'])).size).toBe(10)
    expect(there.requests.every((it) => isSigned(it, secret))).toBe(true)
    const attempts = await ctx.db.all(
      sql<{ n: number; status: number }>`select n, status from webhook_attempts order by n`,
    )
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => ({ n, status: 500 })))
  })

  test('that fails waits by the schedule, as Failed, with the next attempt named', async () => {
    const { home, ctx, records } = await withReceiver(() => 404)
    run(home)
    await emitMany(ctx, 1)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Failed' }]))
    const [record] = await records()
    expect(record).toMatchObject({ attempts: 1, lastError: 'the receiver answered 404' })
    const { wait } = await ctx.db.one(sql<{ wait: number }>`
      select extract(epoch from d.run_at - a.started_at)::float8 - a.ms / 1000.0::float8 as wait
      from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id`)
    expect(wait).toBeGreaterThanOrEqual(1.99)
    expect(wait).toBeLessThanOrEqual(2.51)
  })

  test('succeeds at a later attempt', async () => {
    let left = 3
    const { home, ctx, there, records } = await withReceiver(() => (left-- > 0 ? 503 : 204))
    run(home, QUICKLY)
    await emitMany(ctx, 1)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered', attempts: 4 }]))
    expect(there.requests).toHaveLength(4)
  })

  test('waits for nobody when there are many', async () => {
    const { home, ctx, there, records } = await withReceiver()
    run(home)
    await emitMany(ctx, 900)
    await until(async () =>
      expect((await records()).filter((it) => it.status === 'Delivered')).toHaveLength(900),
    )
    expect(new Set(eventIds(there.requests)).size).toBe(900)
    expect(there.requests).toHaveLength(900)
  })

  test('of an event older than the retention ends without an attempt', async () => {
    const { home, ctx, there, records } = await withReceiver()
    await emitMany(ctx, 1)
    await home.runtime.system.db.run(sql`delete from events`)
    run(home)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Dead letter', payload: null }]))
    expect(there.requests).toHaveLength(0)
  })
})

describe('a rotated secret', () => {
  test('signs everything from then on, retries included', async () => {
    let isFailing = true
    const { home, ctx, there, endpoint, secret, records } = await withReceiver(() => (isFailing ? 500 : 200))
    run(home, { schedule: () => 0.05 })
    await emitMany(ctx, 20)
    await until(() => expect(there.requests.length).toBeGreaterThan(60))
    const rotated = await webhooks.rotateSecret(ctx, endpoint.id)
    await until(async () => {
      const underWay = await records()
      expect(underWay.every((it) => it.attempts > 3)).toBe(true)
    })
    isFailing = false
    await until(async () => expect((await records()).every((it) => it.status === 'Delivered')).toBe(true))
    const isOld = there.requests.map((it) => isSigned(it, secret))
    const firstNew = isOld.indexOf(false)
    expect(there.requests.slice(firstNew + 20).every((it) => isSigned(it, rotated.secret))).toBe(true)
    expect(there.requests.every((it) => isSigned(it, secret) || isSigned(it, rotated.secret))).toBe(true)
  })
})

describe('an endpoint', () => {
  test('that is disabled receives nothing until it is active again, then what waited', async () => {
    const { home, ctx, there, endpoint, records } = await withReceiver()
    await emitMany(ctx, 3)
    await webhooks.updateEndpoint(ctx, endpoint.id, { active: false })
    await emitMany(ctx, 2)
    const other = await receiver()
    await webhooks.createEndpoint(ctx, { name: 'marker', url: other.url, events: ['NEW_SOURCE'] })
    run(home)
    await emitMany(ctx, 1)
    await until(() => expect(other.requests).toHaveLength(1))
    expect(there.requests).toHaveLength(0)
    expect(await records()).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'Pending', nextAttemptAt: null })),
    )
    await webhooks.updateEndpoint(ctx, endpoint.id, { active: true })
    await until(async () => expect((await records()).every((it) => it.status === 'Delivered')).toBe(true))
    expect(there.requests).toHaveLength(3)
  })

  test('that is disabled between attempts is not tried again', async () => {
    const { home, ctx, there, endpoint, records } = await withReceiver(() => 500)
    run(home, { schedule: () => 0.3 })
    await emitMany(ctx, 1)
    await until(() => expect(there.requests).toHaveLength(1))
    await webhooks.updateEndpoint(ctx, endpoint.id, { active: false })
    await until(async () =>
      expect(await records()).toMatchObject([{ status: 'Failed', nextAttemptAt: null }]),
    )
    const tried = there.requests.length
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(there.requests).toHaveLength(tried)
  })

  test('that is deleted receives nothing more', async () => {
    const { home, ctx, there, endpoint } = await withReceiver(() => 500)
    run(home, { schedule: () => 0.2 })
    await emitMany(ctx, 5)
    await until(() => expect(there.requests.length).toBeGreaterThanOrEqual(5))
    await webhooks.deleteEndpoint(ctx, endpoint.id)
    await until(async () => expect(await ctx.db.all(sql`select 1 from webhook_deliveries`)).toHaveLength(0))
  })

  test('that moves is reached at its new address by what waits', async () => {
    const { home, ctx, there, endpoint, records } = await withReceiver(() => 500)
    const elsewhere = await receiver()
    run(home, { schedule: () => 0.3 })
    await emitMany(ctx, 1)
    await until(() => expect(there.requests.length).toBeGreaterThan(0))
    await webhooks.updateEndpoint(ctx, endpoint.id, { url: elsewhere.url })
    await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered' }]))
    expect(elsewhere.requests).toHaveLength(1)
  })

  test('that never answers holds up nobody else', async () => {
    const { home, ctx, there, records } = await withReceiver()
    const hung = await receiver(() => new Promise<Reply>(() => {}))
    for (let i = 0; i < 5; i++)
      await webhooks.createEndpoint(ctx, { name: `hung ${i}`, url: hung.url, events: ['NEW_SOURCE'] })
    run(home, { slots: 32 })
    await emitMany(ctx, 100)
    await until(async () => expect((await records()).every((it) => it.status === 'Delivered')).toBe(true))
    expect(there.requests).toHaveLength(100)
    expect(hung.requests.length).toBeLessThanOrEqual(20)
    hung.close()
  })
})

describe('several workers', () => {
  test('share the work, and nothing is sent twice', async () => {
    const { home, ctx, there, records } = await withReceiver()
    for (let i = 0; i < 3; i++) run(home)
    for (let i = 0; i < 10; i++) await emitMany(ctx, 60)
    await until(async () =>
      expect((await records()).filter((it) => it.status === 'Delivered')).toHaveLength(600),
    )
    expect(there.requests).toHaveLength(600)
    expect(new Set(eventIds(there.requests)).size).toBe(600)
  })

  test('one that stops finishes what it has in hand', async () => {
    const { home, ctx, there, records } = await withReceiver(
      () => new Promise<Reply>((resolve) => setTimeout(resolve, 300, 200)),
    )
    const engine = run(home)
    await emitMany(ctx, 4)
    await until(() => expect(there.requests).toHaveLength(4))
    await engine.stop()
    expect(await records()).toMatchObject(Array.from({ length: 4 }, () => ({ status: 'Delivered' })))
    expect(await home.runtime.system.db.all(sql`select 1 from webhook_workers`)).toHaveLength(0)
  })

  test('an outcome counts only for the claim it belongs to', async () => {
    let answer: (reply: Reply) => void = () => {}
    const { home, ctx, there, records } = await withReceiver(({ headers }) =>
      there.requests.length === 1
        ? new Promise<Reply>((resolve) => (answer = resolve))
        : Promise.resolve(headers['x-service-event'] === 'NEW_SOURCE' ? 200 : 500),
    )
    run(home)
    await emitMany(ctx, 1)
    await until(() => expect(there.requests).toHaveLength(1))
    await home.runtime.system.db.run(sql`
      update webhook_deliveries set status = 'p', lease_by = null, claim_no = null`)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered', attempts: 1 }]))
    answer(500)
    await emitMany(ctx, 1)
    await until(async () =>
      expect(await records()).toMatchObject([{ status: 'Delivered' }, { status: 'Delivered' }]),
    )
    expect(there.requests).toHaveLength(3)
    expect(await ctx.db.all(sql`select from webhook_attempts`)).toEqual([])
    expect(await ctx.db.all(sql`select from webhook_delivery_log where ms is not null`)).toHaveLength(2)
  })
})

describe('a database that drops every connection', () => {
  test('loses nothing', async () => {
    const { home, ctx, there, records } = await withReceiver(
      () => new Promise<Reply>((resolve) => setTimeout(resolve, 20, 200)),
    )
    run(home)
    for (let i = 0; i < 5; i++) {
      await until(() => emitMany(ctx, 100))
      await cutConnections(home.where)
    }
    const { count } = await until(() => ctx.db.one(sql<{ count: number }>`select count(*) from events`))
    expect(count).toBeGreaterThanOrEqual(500)
    await until(async () =>
      expect((await records()).filter((it) => it.status === 'Delivered')).toHaveLength(count),
    )
    expect(new Set(eventIds(there.requests)).size).toBe(count)
  })
})

async function cutConnections({ database }: DatabaseAddress): Promise<void> {
  const client = new pg.Client(inject('superuser'))
  await client.connect()
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  await client.end()
}
