import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { claim } from './claim-store.ts'
import { findDue, parkInactiveDeliveries, type EndpointDue } from './due-store.ts'
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

test('what waits at endpoints that are off is parked, and removed where they are deleted; what is under way ends', async () => {
  const { home, ctx } = await scene()
  const { db } = home.runtime.system
  const { url } = await receiver()
  for (const name of ['deleted', 'tried at one that is off', 'on'])
    await createEndpoint(ctx, { name, url, events: ['NEW_SOURCE'] })
  await db.run(
    sql`update webhook_endpoints set active = false where name in ('ops', 'tried at one that is off')`,
  )
  await db.run(sql`update webhook_endpoints set active = false, deleted_at = now() where name = 'deleted'`)
  for (const [status, attempts] of [
    ['p', 0],
    ['f', 1],
    ['r', 0],
  ] as const)
    await db.run(sql`
      insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq, status, attempts, lease_by,
        claim_no)
      select tenant_id, gen_random_uuid(), now(), 'NEW_SOURCE', seq, ${status}::"char", ${attempts}::int,
        case when ${status}::text = 'r' then 1 end, case when ${status}::text = 'r' then 1 end
      from webhook_endpoints where ${status}::text <> 'p' or name <> 'tried at one that is off'`)
  await parkInactiveDeliveries(db)
  const left = await db.all<{ at: string; status: string; isParked: boolean }>(sql`
    select e.name as at, d.status, d.run_at = 'infinity' as "isParked"
    from webhook_deliveries d join webhook_endpoints e on e.seq = d.endpoint_seq order by e.seq, d.status`)
  const at = (name: string, ...rows: readonly (readonly [string, boolean])[]) =>
    rows.map(([status, isParked]) => ({ at: name, status, isParked }))
  expect(left).toEqual([
    ...at('ops', ['f', true], ['p', true], ['r', false]),
    ...at('deleted', ['r', false]),
    ...at('tried at one that is off', ['f', true], ['r', false]),
    ...at('on', ['f', false], ['p', false], ['r', false]),
  ])
})
