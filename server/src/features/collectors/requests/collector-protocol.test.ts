import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTarget } from '#features/scans/scans.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { enrolled, newConnection, refused } from '../collectors.fixture.ts'
import {
  assign,
  checkedCollectorIds,
  createCollector,
  deleteCollector,
  equally,
  listCollectors,
  revokeCollector,
} from '../collectors.ts'

const home = sharedTestApp()
const { signal } = new AbortController()

/** A request for work would wait for some. */
const heardOf = ({ db, tenantId }: Ctx) =>
  db.run(sql`update collectors set last_seen_at = clock_timestamp() where tenant_id = ${tenantId}`)

/** A collector that has taken one piece of work. */
async function atWork() {
  const ctx = await home().newTenant()
  const it = await enrolled(home(), ctx)
  await heardOf(ctx)
  const given = await assign(
    ctx,
    equally([it.collectorId]),
    { subject: 'scan', work: { type: 'sweep' } },
    signal,
  )
  onTestFinished(given.close)
  const news = await it.poll(it.process)
  const [{ id = '' } = {}] = news['assignments'] as { id?: string }[]
  const say = (...messages: object[]) => it.messages({ assignment: id, process: it.process, messages })
  return { ...it, ctx, given, id, say }
}

const ids = (many: number) => Array.from({ length: many }, () => randomUUID())

test('what a process says it runs, has received and tells is bounded', async () => {
  const { poll, process, id, messages } = await atWork()
  await poll(process, ids(100))
  await expect(poll(process, ids(101))).rejects.toThrow('running: must be at most 100 UUIDs')
  const receipts = (many: number) => ({
    received: ids(many).map((assignment) => ({ assignment, number: 1 })),
  })
  await poll(process, ids(1), receipts(500))
  await expect(poll(process, [], receipts(501))).rejects.toThrow('received: must be a list of at most 500')
  const told = (many: number) => Array.from({ length: many }, (_, n) => ({ number: n + 1, kind: 'x' }))
  expect(await messages({ assignment: id, process, messages: told(1_000) })).toEqual({ taken: 1_000 })
  const more = messages({ assignment: id, process, messages: told(1_001) })
  await expect(more).rejects.toThrow('messages: must be a list of at most 1000')
})

test.each([
  ['running', { running: ['x'] }],
  ['running', { running: 'x' }],
  ['process', { process: 'x' }],
  ['received', { received: {} }],
  ['received', { received: [{ assignment: 'x', number: 1 }] }],
  ['received', { received: [{ assignment: randomUUID(), number: 0 }] }],
  ['received', { received: [null] }],
])('a request for work whose %s is in another form is refused: %j', async (field, change) => {
  const { poll, process } = await enrolled(home(), await home().newTenant())
  await expect(poll(process, [], change)).rejects.toThrow(`invalid_request ${field}:`)
})

test('while 200 messages are unread it is to wait, and goes on when they are read', async () => {
  const { given, say } = await atWork()
  await say(...Array.from({ length: 200 }, (_, n) => ({ number: n + 1, kind: 'x' })))
  await say({ number: 201, kind: 'last' })
  await expect(say({ number: 202, kind: 'more' })).rejects.toMatchObject(refused(429, 'unread'))
  for await (const { number } of given.messages()) if (number === 201) break
  expect(await say({ number: 202, kind: 'more' })).toEqual({ taken: 1 })
})

test('an answer is told until it is said to be received', async () => {
  const { poll, process, id, given } = await atWork()
  await given.answer(7, { yes: true })
  const [answer] = [{ assignment: id, number: 7, value: { yes: true } }]
  expect(await poll(process, [id])).toEqual({ assignments: [], answers: [answer], over: [] })
  expect(await poll(process, [id])).toMatchObject({ answers: [answer] })
  await given.answer(8, null)
  const received = { received: [{ assignment: id, number: 7 }] }
  expect(await poll(process, [id], received)).toMatchObject({ answers: [{ number: 8, value: null }] })
  await given.close()
  expect(await poll(process, [id])).toEqual({ assignments: [], answers: [], over: [id] })
})

test('work that the process does not say it runs is given to it again', async () => {
  const { poll, process, id } = await atWork()
  expect(await poll(process)).toMatchObject({ assignments: [{ id, work: { type: 'sweep' } }] })
})

test('work goes to the one with the least to do, and that of an earlier attempt is dropped', async () => {
  const ctx = await home().newTenant()
  const all = [await enrolled(home(), ctx, 'a'), await enrolled(home(), ctx, 'b')]
  await heardOf(ctx)
  const give = async (subject: string) =>
    (await assign(ctx, equally(all.map((it) => it.collectorId)), { subject, work: {} }, signal)).collector
      .name
  expect([await give('1'), await give('2')].toSorted()).toEqual(['a', 'b'])
  await give('3')
  await give('3')
  const { count } = await ctx.db.one(sql<{ count: number }>`
    select count(*)::int as count from collector_assignments where tenant_id = ${ctx.tenantId}`)
  expect(count).toBe(3)
  await ctx.db.run(sql`
    update collector_assignments set created_at = now() - interval '73 hours'
    where tenant_id = ${ctx.tenantId} and subject = '1'`)
  await give('4')
  const rows = await ctx.db.all(sql<{ subject: string }>`
    select subject from collector_assignments where tenant_id = ${ctx.tenantId} order by subject`)
  expect(rows.map(({ subject }) => subject)).toEqual(['2', '3', '4'])
})

test('why nobody takes the work is told', async () => {
  const ctx = await home().newTenant()
  const { collectorId } = await enrolled(home(), ctx)
  const give = (more: readonly string[] = []) =>
    assign(ctx, equally([collectorId, ...more]), { subject: 'scan', work: {} }, signal)
  const { collector } = await createCollector(ctx, { name: 'Bergen' })
  await expect(give([collector.id])).rejects.toThrow(
    'no collector that could do it is online; not heard of: Bergen since it was made, Oslo since it was made',
  )
  await revokeCollector(ctx, collectorId)
  await expect(give()).rejects.toThrow('every collector that could do it was revoked')
})

test.each<[string, (it: Awaited<ReturnType<typeof atWork>>) => Promise<unknown>, string]>([
  ['revoked', ({ ctx, collectorId }) => revokeCollector(ctx, collectorId), 'collector Oslo was revoked'],
  [
    'started anew',
    ({ poll, process }) => poll(randomUUID(), [process]),
    'collector Oslo was started anew in the middle of the work',
  ],
  [
    'silent',
    ({ ctx }) =>
      ctx.db.run(sql`
      update collectors set last_seen_at = now() - interval '31 seconds' where tenant_id = ${ctx.tenantId}`),
    'collector Oslo was not heard of since 20',
  ],
])('whoever waits for the work of a collector that was %s learns it', async (_, happens, message) => {
  const it = await atWork()
  const read = async (): Promise<void> => {
    for await (const { number } of it.given.messages()) throw new Error(`message ${number} came`)
  }
  await Promise.all([expect(read()).rejects.toThrow(message), happens(it)])
})

test('a collector that was revoked enrols no more, with its key or with its secret', async () => {
  const ctx = await home().newTenant()
  const { enrol, collectorId, secret } = await enrolled(home(), ctx)
  await revokeCollector(ctx, collectorId)
  await expect(enrol(secret)).rejects.toMatchObject(refused(403, 'revoked'))
  const late = await createCollector(ctx, { name: 'Late' })
  await revokeCollector(ctx, late.collector.id)
  const connection = await newConnection(home())
  await expect(connection.enrol(late.secret)).rejects.toMatchObject(refused(403, 'forbidden'))
  await expect(connection.enrol('rcc_')).rejects.toMatchObject(refused(403, 'forbidden'))
})

test('targets are given only collectors that are there and not revoked, and keep them from being deleted', async () => {
  const ctx = await home().newTenant()
  const [a, b] = [await createCollector(ctx, { name: 'a' }), await createCollector(ctx, { name: 'b' })]
  const [idA, idB] = [a.collector.id, b.collector.id]
  expect(await checkedCollectorIds(ctx, [idA, idB, idA])).toEqual([idA, idB])
  await createTarget(ctx, { name: 'site', cidr: '192.0.2.0/30', collectorIds: [idA] })
  await expect(deleteCollector(ctx, idA)).rejects.toThrow(
    'targets are scanned by it; give those another first',
  )
  await revokeCollector(ctx, idB)
  await expect(checkedCollectorIds(ctx, [idA, idB])).rejects.toThrow('collector not found')
  expect(await checkedCollectorIds(ctx, [idA, idB], [idB])).toEqual([idA, idB])
  await expect(checkedCollectorIds(ctx, ['oslo'])).rejects.toThrow('collector not found')
  await expect(checkedCollectorIds(ctx, ids(21))).rejects.toThrow('collectorIds: are more than 20')
  await expect(checkedCollectorIds(ctx, ids(20))).rejects.toThrow('collector not found')
  expect((await listCollectors(ctx)).map(({ name }) => name)).toEqual(['a', 'b'])
  const reader = {
    ...ctx,
    actor: { ...ctx.actor, may: (permission: string) => permission === 'scans:write' },
  }
  await expect(checkedCollectorIds(reader, [idA])).rejects.toMatchObject({ status: 403 })
  expect(await checkedCollectorIds(reader, [idA], [idA])).toEqual([idA])
  await expect(createCollector(reader, { name: 'c' })).rejects.toMatchObject({ status: 403 })
})

test('Prometheus reads collectors and their work by state', async () => {
  const metrics = async () => {
    const text = await (await fetch(`${await home().address()}/metrics`)).text()
    const lines = text.split('\n').filter((line) => line.startsWith('rollcall_collector'))
    return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]))
  }
  const before = await metrics()
  const { ctx, collectorId } = await atWork()
  await createCollector(ctx, { name: 'waiting' })
  await enrolled(home(), ctx, 'silent')
  await assign(ctx, equally([collectorId]), { subject: 'another', work: {} }, signal)
  const revoked = await createCollector(ctx, { name: 'revoked' })
  await revokeCollector(ctx, revoked.collector.id)
  const after = await metrics()
  const grown = [...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)])
  expect(Object.fromEntries(grown)).toEqual({
    'rollcall_collectors{state="waiting"}': 1,
    'rollcall_collectors{state="online"}': 1,
    'rollcall_collectors{state="offline"}': 1,
    'rollcall_collectors{state="revoked"}': 1,
    'rollcall_collector_assignments{state="waiting"}': 1,
    'rollcall_collector_assignments{state="taken"}': 1,
  })
})
