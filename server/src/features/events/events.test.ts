import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transactionInstant } from '#platform/database/sql.ts'
import { atomically, type Ctx, type Happening } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { applyEventRetention } from './event-retention.ts'
import { countEvents, emit, eventsInOrder, latestEvents } from './events.ts'

interface Row {
  readonly id: string
  readonly type: string
  readonly body: Buffer
  readonly created_at: string
}

const allOf = (ctx: Ctx) => ctx.db.all(sql<Row>`select id, type, body, created_at from events order by type`)
const source = { type: 'NEW_SOURCE', payload: { name: 'a\u0000b \ud800 ü' } } as const
const scan = { type: 'SCAN_COMPLETED', payload: { scan_id: 'x' } } as const

test('an event is kept as the exact bytes, tenant_id added', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  await emit(ctx, [source, scan])
  const [first, second] = await allOf(ctx)
  expect(first?.type).toBe('NEW_SOURCE')
  expect(JSON.parse(first?.body.toString() ?? '')).toEqual({
    name: 'a\u0000b \ud800 ü',
    tenant_id: ctx.tenantId,
  })
  expect(JSON.parse(second?.body.toString() ?? '')).toEqual({ scan_id: 'x', tenant_id: ctx.tenantId })
})

test('reactions see what was written, inside the transaction, under the key it is found by', async () => {
  const { newTenant } = await testApp()
  const plain = await newTenant()
  const seen: Happening[] = []
  const ctx: Ctx = {
    ...plain,
    reactions: {
      async to(inner, happenings) {
        seen.push(...happenings)
        expect(await allOf(inner)).toHaveLength(2)
        expect(await allOf(plain)).toHaveLength(0)
      },
    },
  }
  await atomically(ctx, (inner) => emit(inner, [source, scan]))
  const rows = await allOf(plain)
  expect(seen.map(({ eventId, type, body }) => ({ id: eventId, type, body }))).toEqual(
    rows.map(({ id, type, body }) => ({ id, type, body })),
  )
  for (const { eventId, occurredAt } of seen)
    expect(
      await plain.db.all(sql`select 1 from events where id = ${eventId} and created_at = ${occurredAt}`),
    ).toHaveLength(1)
})

test('a failed change has no events, and a failed reaction undoes the change', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const failing: Ctx = { ...ctx, reactions: { to: () => Promise.reject(new Error('no')) } }
  await expect(atomically(failing, (inner) => emit(inner, [source]))).rejects.toThrow('no')
  expect(await allOf(ctx)).toEqual([])
})

test('what is written beside events has their instant, also where there was no transaction, and undoes them when it fails', async () => {
  const { newTenant } = await testApp()
  const plain = await newTenant()
  const instants: unknown[] = []
  const beside = async (inner: Ctx) => {
    instants.push(...(await inner.db.all(sql`select ${transactionInstant} as at`)))
  }
  await emit({ ...plain, reactions: { ...plain.reactions, beside } }, [source])
  expect(await plain.db.all(sql`select created_at as at from events`)).toEqual(instants)
  const failing: Ctx = {
    ...plain,
    reactions: { ...plain.reactions, beside: () => Promise.reject(new Error('no')) },
  }
  await expect(emit(failing, [scan])).rejects.toThrow('no')
  expect(await allOf(plain)).toHaveLength(1)
})

test('tenants do not see the events of others', async () => {
  const { newTenant } = await testApp()
  const [one, other] = [await newTenant(), await newTenant()]
  await emit(one, [source])
  expect(await allOf(other)).toEqual([])
})

test('old days are dropped, coming ones are made', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  await emit(ctx, [source])
  await applyEventRetention(runtime.system)
  expect(await allOf(ctx)).toHaveLength(1)
  const days = () =>
    runtime.system.db.all(
      sql<{
        name: string
      }>`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`,
    )
  const kept = (await days()).length
  // One more where the database was made before midnight.
  expect(kept).toBeGreaterThanOrEqual(9)
  await runtime.system.db.run(sql`select keep_daily_partitions('events', -4)`)
  expect((await days()).length).toBeLessThan(kept)
  expect(await allOf(ctx)).toEqual([])
})

test('past events are those of the types and the time that are asked for, of the own tenant', async () => {
  const { newTenant } = await testApp()
  const [ctx, other] = [await newTenant(), await newTenant()]
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))
  for (const of of [ctx, other]) {
    await emit(of, [source, scan, source, scan, source])
    // one a minute, in the order of the ids
    await of.db.run(sql`
      update events e set created_at = ${at(0)}::timestamptz + make_interval(mins => n.at::int)
      from (select id, row_number() over (partition by type order by id) as at from events
        where tenant_id = ${of.tenantId}) n
      where e.tenant_id = ${of.tenantId} and e.id = n.id`)
  }
  const types = ['NEW_SOURCE'] as const
  const minutesOf = (found: readonly { occurredAt: Date; type: string }[]) =>
    found.map(({ occurredAt, type }) => `${type} ${occurredAt.getUTCMinutes()}`)
  expect(minutesOf(await latestEvents(ctx, types, 2))).toEqual(['NEW_SOURCE 3', 'NEW_SOURCE 2'])
  expect(minutesOf(await latestEvents(ctx, types, 9))).toHaveLength(3)
  const range = { types, since: at(2), until: at(3) }
  expect(await countEvents(ctx, range)).toBe(2)
  const batches: string[][] = []
  for await (const batch of eventsInOrder(ctx, { ...range, since: at(1) }, 2)) batches.push(minutesOf(batch))
  expect(batches).toEqual([['NEW_SOURCE 1', 'NEW_SOURCE 2'], ['NEW_SOURCE 3']])
})
