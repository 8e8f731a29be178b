import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { startFaultProxy } from '../../../../bench/chaos/fault-proxy.ts'
import { holdLease, type WorkerLease } from './worker-lease.ts'

const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

function hold({ runtime }: TestApp) {
  const taken: number[] = []
  const lease = holdLease({
    database: runtime.database,
    log: runtime.log,
    takeOver: (id) => Promise.resolve(taken.push(id)),
    onHeld: () => {},
  })
  onTestFinished(() => lease.close())
  return { lease, taken }
}

const held = (lease: WorkerLease) =>
  until(() => {
    const id = lease.id()
    expect(id).toBeTypeOf('number')
    return id
  })

const listed = ({ runtime }: TestApp) =>
  runtime.system.db.all(sql<{ id: number }>`select id from webhook_workers order by id`)

test('workers have ids of their own and leave no trace when they close', async () => {
  const home = await testApp()
  const [one, two] = [hold(home), hold(home)]
  const ids = [await held(one.lease), await held(two.lease)]
  expect(new Set(ids).size).toBe(2)
  await one.lease.close()
  await two.lease.close()
  expect(await listed(home)).toEqual([])
  expect([...one.taken, ...two.taken]).toEqual([])
})

test('one whose lock is free is taken over and removed', async () => {
  const home = await testApp()
  const { system } = home.runtime
  const { id } = await system.db.one(
    sql<{ id: number }>`insert into webhook_workers (host) values ('x') returning id`,
  )
  const { lease, taken } = hold(home)
  await held(lease)
  await until(() => expect(taken).toEqual([id]))
  await until(async () => expect(await listed(home)).toEqual([{ id: lease.id() }]))
})

test('one that is silent is taken over even with its lock', async () => {
  const home = await testApp()
  const { database, system } = home.runtime
  const { id } = await system.db.one(sql<{ id: number }>`
    insert into webhook_workers (host, beat_at) values ('x', now() - interval '1 minute') returning id`)
  const frozen = await database.session()
  onTestFinished(() => frozen.end())
  await frozen.query('select pg_advisory_lock(7261006, $1)', [id])
  const { lease, taken } = hold(home)
  await held(lease)
  await until(() => expect(taken).toContain(id))
  expect((await listed(home)).map((it) => it.id)).toContain(id)
})

test('one that loses its connection claims nothing until it is back under the same id', async () => {
  const home = await testApp()
  const { lease } = hold(home)
  const id = await held(lease)
  await cutLocks(home)
  await until(() => expect(lease.id()).toBeUndefined())
  expect(await held(lease)).toBe(id)
})

test('one whose broken session the database still has ends it, and is back under the same id', async () => {
  const { where } = await testApp()
  const network = await startFaultProxy({ path: `${where.host}/.s.PGSQL.${where.port}` })
  onTestFinished(() => network.close())
  const home = await testApp({ where: { ...where, host: '127.0.0.1', port: network.port } })
  const { lease } = hold(home)
  const id = await held(lease)
  network.begin('unheard')
  await until(() => expect(lease.id()).toBeUndefined())
  network.end()
  expect(await held(lease)).toBe(id)
})

test('one that was removed comes back under another id', async () => {
  const home = await testApp()
  const { lease } = hold(home)
  const id = await held(lease)
  await home.runtime.system.db.run(sql`delete from webhook_workers`)
  await until(() => expect(lease.id()).not.toBe(id))
  expect(await held(lease)).not.toBe(id)
})

async function cutLocks({ where }: TestApp): Promise<void> {
  const client = new pg.Client({ ...inject('superuser'), database: where.database ?? '' })
  await client.connect()
  await client.query(`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
  await client.end()
}
