import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import type { Db } from '../db.ts'
import { openReplica } from './replica.ts'

const [ADA, BOB] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']
const TENANT = '00000000-0000-7000-8000-000000000009'

/** A database that is its own replica: one that has become the primary has all that it has written. */
async function scene() {
  const { where } = await testApp()
  const { runtime, newTenant } = await testApp({ where, replica: where })
  const { replica, system } = runtime.database
  if (!replica) throw new Error('there is no replica')
  await vi.waitFor(async () => expect(await replica.reading(TENANT, BOB)).toBeDefined(), { interval: 10 })
  return { replica, system, newTenant, runtime }
}

test('reads are answered there, except to who has just written', async () => {
  const { replica, system, newTenant, runtime } = await scene()
  const { tenantId } = await newTenant()
  const reading = await replica.reading(tenantId, ADA)
  expect(Date.parse(reading?.asOf ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(await reading?.db.all(sql`select 1 as one`)).toEqual([{ one: 1 }])
  // nobody but the tenant itself is seen there
  const tenants = sql<{ id: string }>`select tenant_id as id from event_subscriptions`
  await system.run(sql`
    insert into event_subscriptions (tenant_id, event_type, subscriber) values (${tenantId}, 'NEW_SOURCE', 'a')`)
  expect(await reading?.db.all(tenants)).toEqual([{ id: tenantId }])
  expect(await (await replica.reading(TENANT, ADA))?.db.all(tenants)).toEqual([])

  await replica.noteWrite(ADA)
  expect(await replica.reading(tenantId, ADA)).toBeUndefined()
  expect(await replica.reading(tenantId, BOB)).toBeDefined()
  expect(await replica.reading(tenantId, 'a key')).toBeDefined()
  expect(runtime.database.pools()).toContainEqual(expect.objectContaining({ name: 'replica' }))
})

test('a write is forgotten after some seconds, and a later one counts', async () => {
  const { replica, system } = await scene()
  const wroteBefore = (seconds: number) =>
    system.run(
      sql`update recent_writers set wrote_at = clock_timestamp() - make_interval(secs => ${seconds}::float8)`,
    )
  const isAnswered = async () => (await replica.reading(TENANT, ADA)) !== undefined
  await replica.noteWrite(ADA)
  await wroteBefore(5.5)
  expect(await isAnswered()).toBe(false)
  await wroteBefore(6.5)
  expect(await isAnswered()).toBe(true)
  // within a second a write is noted once
  await replica.noteWrite(ADA)
  expect(await isAnswered()).toBe(true)
})

/** That is written to by `run` alone: what is old is deleted at the start, then writes are noted. */
function withPrimary(run: () => Promise<number>) {
  const log = { warn: vi.fn<(...of: unknown[]) => void>() }
  const place = { at: '2026-01-01T00:00:00Z', database: 'one', written: 1, replayed: 1 }
  const primary = {
    one: () => Promise.resolve(place),
    all: () => Promise.resolve([]),
    run: vi.fn<() => Promise<number>>(run),
  }
  const replica = openReplica(
    {},
    {
      primary: primary as unknown as Db,
      bind: () => primary as unknown as Db,
      connections: 1,
      types: undefined as never,
      log: log as never,
    },
  )
  onTestFinished(replica.close)
  return { replica, primary, log }
}

test('each writer is noted at most once a second', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000)
  onTestFinished(() => now.mockRestore())
  const { replica, primary } = withPrimary(() => Promise.resolve(1))
  await vi.waitFor(() => expect(primary.run).toHaveBeenCalledTimes(1), { interval: 1 })
  const notesAfter = async (ms: number, who: string) => {
    now.mockReturnValue(10_000 + ms)
    await replica.noteWrite(who)
    return primary.run.mock.calls.length - 1
  }
  expect(await notesAfter(0, ADA)).toBe(1)
  expect(await notesAfter(999, ADA)).toBe(1)
  expect(await notesAfter(999, BOB)).toBe(2)
  expect(await notesAfter(1_000, ADA)).toBe(3)
})

test('where a write cannot be noted, nobody is answered there for six seconds', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000)
  onTestFinished(() => now.mockRestore())
  const { replica, log } = withPrimary(() => Promise.reject(new Error('away')))
  const isAnsweredAfter = async (ms: number) => {
    now.mockReturnValue(10_000 + ms)
    return (await replica.reading(TENANT, BOB)) !== undefined
  }
  await vi.waitFor(async () => expect(await isAnsweredAfter(0)).toBe(true), { interval: 1 })
  await replica.noteWrite(ADA)
  expect(log.warn.mock.calls.at(-1)?.at(-1)).toBe('a write could not be noted')
  expect(await isAnsweredAfter(4_000)).toBe(false)
  // by then it is asked again how far it has come
  await vi.waitFor(async () => expect(await isAnsweredAfter(6_000)).toBe(true), { interval: 10 })
  expect(await isAnsweredAfter(5_999)).toBe(false)
})
