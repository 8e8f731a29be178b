import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '#platform/database/database.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { openDuePoller } from './due-poller.ts'
import { createEndpoint, updateEndpoint } from '../webhooks.ts'

const ADD = sql`insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq)
  select tenant_id, gen_random_uuid(), now(), 'NEW_SOURCE', seq from webhook_endpoints order by seq desc limit 1`

async function scene() {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  const { url } = await receiver()
  const subscribe = () => createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE'] })
  const { db } = runtime.system
  let now = 0
  let lookMs = 0
  let dueInMs: number | undefined
  const looks: string[] = []
  const quick = new Set<number>()
  const watched: Db = {
    ...db,
    async all(query) {
      const rows = await db.all(query)
      looks.push(...(rows.length > 0 ? ['some'] : ['none']))
      now += lookMs
      const seen = dueInMs
      return (seen === undefined ? rows : rows.map((it) => ({ ...(it as object), dueInMs: seen }))) as never
    },
  }
  const duePoller = openDuePoller(
    watched,
    (seq) => quick.has(seq),
    () => now,
  )
  return {
    ctx,
    db,
    subscribe,
    duePoller,
    looks,
    quick,
    pass: (ms: number) => (now += ms),
    /** From here on each look takes so long. */
    slowDown: (ms: number) => (lookMs = ms),
    /** From here on each look finds that something is due in so long: the database's clock runs meanwhile. */
    findDueIn: (ms: number) => (dueInMs = ms),
  }
}

test('what is committed for an endpoint that was idle is found at the next look that is due', async () => {
  const { db, subscribe, duePoller, pass } = await scene()
  await subscribe()
  await db.run(ADD)
  expect(await duePoller.findDue()).toHaveLength(1)
  await subscribe()
  await db.run(ADD)
  expect(duePoller.restMs()).toBeLessThanOrEqual(500)
  pass(duePoller.restMs())
  expect(await duePoller.findDue()).toHaveLength(2)
})

test('what was looked at is stale after a twentieth of a second', async () => {
  const { db, subscribe, duePoller, pass } = await scene()
  await subscribe()
  await db.run(ADD)
  await duePoller.findDue()
  expect(await duePoller.findDue()).toMatchObject([{ isStale: false }])
  pass(50)
  expect(await duePoller.findDue()).toMatchObject([{ isStale: true }])
})

test('rests until the first is due, half a second at most', async () => {
  const { db, subscribe, duePoller, pass, findDueIn } = await scene()
  await subscribe()
  expect(await duePoller.findDue()).toEqual([])
  await duePoller.findDue()
  expect(duePoller.restMs()).toBe(500)
  await db.run(ADD)
  findDueIn(60_000)
  pass(500)
  expect(await duePoller.findDue()).toEqual([])
  // Without another look, what is due in a minute is known.
  pass(499)
  expect(duePoller.restMs()).toBeGreaterThan(0)
  findDueIn(300)
  pass(1)
  expect(await duePoller.findDue()).toEqual([])
  expect(duePoller.restMs()).toBe(300)
})

test('issue 9: one slow look at everything does not keep a commit that was announced waiting', async () => {
  const { ctx, db, subscribe, duePoller, slowDown } = await scene()
  await subscribe()
  slowDown(3_000)
  expect(await duePoller.findDue()).toEqual([])
  expect(await duePoller.findDue()).toEqual([])
  await db.run(ADD)
  duePoller.mayBeDue(ctx.tenantId)
  expect(await duePoller.findDue()).toHaveLength(1)
})

test('issue 9: one slow look puts off the next for ten seconds at most', async () => {
  const { db, subscribe, duePoller, pass, slowDown } = await scene()
  await subscribe()
  slowDown(3_000)
  await duePoller.findDue()
  await duePoller.findDue()
  await db.run(ADD)
  pass(10_000)
  expect(await duePoller.findDue()).toHaveLength(1)
})

test('what is known to be due is not asked for again', async () => {
  const { db, subscribe, duePoller, looks, pass } = await scene()
  await subscribe()
  await db.run(ADD)
  await duePoller.findDue()
  await duePoller.findDue()
  const asked = looks.length
  pass(100)
  expect(await duePoller.findDue()).toMatchObject([{ overdueMs: expect.any(Number) }])
  expect(looks).toHaveLength(asked)
})

test('an endpoint that is disabled is forgotten as soon as it may have changed', async () => {
  const { ctx, db, subscribe, duePoller } = await scene()
  const { endpoint } = await subscribe()
  await db.run(ADD)
  const [due] = await duePoller.findDue()
  await duePoller.findDue()
  await updateEndpoint(ctx, endpoint.id, { active: false })
  duePoller.changed([due?.endpointSeq ?? 0])
  expect(await duePoller.findDue()).toEqual([])
})

test('issue 9: a change of a disabled endpoint that takes long stops no look', async () => {
  const { ctx, db, subscribe, duePoller } = await scene()
  const { endpoint } = await subscribe()
  await db.run(ADD)
  await db.run(sql`update webhook_endpoints set active = false`)
  let done = false
  const change = db.transaction(async (db) => {
    await db.run(sql`update webhook_endpoints set name = 'new name' where id = ${endpoint.id}`)
    while (!done) await db.run(sql`select pg_sleep(0.02)`)
  })
  await db.run(sql`select pg_sleep(0.05)`)
  expect(await duePoller.findDue()).toEqual([])
  done = true
  await change
  expect(await updateEndpoint(ctx, endpoint.id, { active: true })).toMatchObject({ active: true })
  duePoller.mayBeDue(ctx.tenantId)
  expect(await duePoller.findDue()).toHaveLength(1)
})

test('what was committed for a quick receiver is claimed without a look; the others of its tenant are looked at soon', async () => {
  const { ctx, db, subscribe, duePoller, looks, quick, pass } = await scene()
  await subscribe()
  await duePoller.findDue()
  const { seq } = await db.one<{ seq: number }>(sql`select seq from webhook_endpoints`)
  quick.add(seq)
  await subscribe()
  await duePoller.findDue()
  await db.run(ADD)
  const before = looks.length
  duePoller.mayBeDue(ctx.tenantId)
  expect(await duePoller.findDue()).toMatchObject([{ endpointSeq: seq, isUnseen: true }])
  expect(await duePoller.findDue()).toEqual([])
  expect(looks).toHaveLength(before)
  expect(duePoller.restMs()).toBeLessThanOrEqual(50)
  pass(50)
  expect(await duePoller.findDue()).toMatchObject([{ isUnseen: false }])
})

test('a quick receiver that has a limit is looked at before something is claimed for it', async () => {
  const { ctx, db, subscribe, duePoller, quick } = await scene()
  const { endpoint } = await subscribe()
  await updateEndpoint(ctx, endpoint.id, { maxInFlight: 1 })
  await duePoller.findDue()
  await duePoller.findDue()
  const { seq } = await db.one<{ seq: number }>(sql`select seq from webhook_endpoints`)
  quick.add(seq)
  await db.run(ADD)
  duePoller.mayBeDue(ctx.tenantId)
  expect(await duePoller.findDue()).toMatchObject([{ endpointSeq: seq, isUnseen: false }])
})
