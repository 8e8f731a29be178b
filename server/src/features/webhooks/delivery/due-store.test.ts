import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { claim } from './claim-store.ts'
import { findDue, type EndpointDue } from './due-store.ts'
import { createEndpoint } from '../webhooks.ts'

async function scene() {
  const home = await testApp()
  const ctx = await home.newTenant()
  const { url } = await receiver()
  await createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE'] })
  const { db } = home.runtime.system
  let last: EndpointDue | undefined
  const lookAgain = async () => {
    const known = last ? [{ endpointSeq: last.endpointSeq, since: last.since }] : []
    const found = await findDue(db, { known, tenantIds: [], except: [], isWide: true }, last?.horizon ?? null)
    last = found[0]
    return last
  }
  const claimAll = (seq: number, since: string | null) =>
    claim(db, { workerId: 1, atMost: 100 }, [{ endpointSeq: seq, room: 100, since }])
  return { home, ctx, lookAgain, claimAll }
}

const ADD = `insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq)
  select tenant_id, gen_random_uuid(), now(), 'NEW_SOURCE', seq from webhook_endpoints`

test('a delivery that is committed late is found, though later ones have been claimed meanwhile', async () => {
  const { home, lookAgain, claimAll } = await scene()
  const { db } = home.runtime.system
  const late = new pg.Client(home.where)
  await late.connect()
  onTestFinished(() => late.end())
  await late.query('set role rollcall_system; begin')
  await late.query(ADD)
  for (let n = 0; n < 5; n++) {
    await db.run(sql.raw(ADD))
    const found = await lookAgain()
    expect(found?.dueInMs).toBeLessThanOrEqual(0)
    expect(await claimAll(found?.endpointSeq ?? 0, found?.since ?? null)).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  expect((await lookAgain())?.dueInMs).toBeNull()
  await late.query('commit')
  const found = await lookAgain()
  expect(found?.dueInMs).toBeLessThanOrEqual(0)
  expect(await claimAll(found?.endpointSeq ?? 0, found?.since ?? null)).toHaveLength(1)
})

test('a look begins where nothing older can appear any more', async () => {
  const { home, lookAgain } = await scene()
  await lookAgain()
  const before = await lookAgain()
  await new Promise((resolve) => setTimeout(resolve, 300))
  await lookAgain()
  const after = await lookAgain()
  expect(after?.since && before?.since && after.since > before.since).toBe(true)
  await home.runtime.system.db.run(sql.raw(ADD))
  expect((await lookAgain())?.dueInMs).toBeLessThanOrEqual(0)
})
