import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'

test('a transaction that the database undoes fails, whoever caught the error of its statement', async () => {
  const { runtime } = await testApp()
  const ended = vi.fn<(end: string) => void>()
  const done = runtime.system.db.transaction(async (db) => {
    db.atEnd?.(ended)
    await db.run(sql`select 1 / 0`).catch(() => undefined)
    return 'done'
  })
  await expect(done).rejects.toThrow('all of it is undone')
  expect(ended.mock.calls).toEqual([['undone']])
})

test('a write that is refused with its commit is undone, and its connection writes on', async () => {
  const { runtime, newTenant } = await testApp()
  const { db, tenantId } = await newTenant()
  const system = runtime.system.db
  const answers: unknown[] = []
  const write = (name: string) =>
    db.transaction(async (db) => {
      await db.run(sql`
        insert into event_subscriptions (tenant_id, event_type, subscriber) values (${tenantId}, 'NEW_SOURCE', ${name})`)
      db.askAtCommit?.(sql<{ name: string }>`select ${name}::text as name`, (rows) => answers.push(...rows))
    })
  await system.run(sql`
    insert into tenant_moves (id, slug, cell, address, frozen_at) values (${tenantId}, 'moving', 1, '', now())`)
  // twice: what the driver believes is prepared after the first has to be so
  await expect(write('a')).rejects.toThrow('is being moved')
  await expect(write('a')).rejects.toThrow('is being moved')
  await system.run(sql`delete from tenant_moves where id = ${tenantId}`)
  await write('b')
  await write('c')
  expect(answers).toEqual([{ name: 'b' }, { name: 'c' }])
  const written = await db.all(sql`
    select subscriber as name from event_subscriptions where tenant_id = ${tenantId} order by subscriber`)
  expect(written).toEqual([{ name: 'b' }, { name: 'c' }])
})

test('a single statement that is refused with its commit fails, and nothing of it is there', async () => {
  const { runtime, where } = await testApp()
  const { db } = runtime.system
  const superuser = new pg.Client({ ...inject('superuser'), database: String(where.database) })
  await superuser.connect()
  await superuser.query('create table late_checks (n int unique deferrable initially deferred)')
  await superuser.query('grant select, insert on late_checks to rollcall_system')
  await superuser.end()
  const insert = (numbers: readonly number[]) =>
    db.run(sql`insert into late_checks select unnest(${numbers}::int[])`)
  await expect(insert([1, 2, 2])).rejects.toMatchObject({ code: '23505' })
  expect(await insert([3])).toBe(1)
  expect(await db.all(sql`select n from late_checks`)).toEqual([{ n: 3 }])
})

test('nothing is sent for a transaction that has ended', async () => {
  const { runtime } = await testApp()
  const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>()
  const late: Promise<unknown>[] = []
  const asking = (fails: boolean) =>
    runtime.system.db.transaction(async (db) => {
      late.push(waiting.then(() => db.all(sql`select 1 as n`)))
      if (fails) throw new Error('for a reason of its own')
    })
  await expect(asking(true)).rejects.toThrow('for a reason of its own')
  await asking(false)
  goOn()
  const settled = await Promise.allSettled(late)
  expect(settled.map((it) => it.status === 'rejected' && String(it.reason))).toEqual([
    'Error: the transaction has ended',
    'Error: the transaction has ended',
  ])
})

test('a statement whose columns have become others is refused once, not for as long as its connection lasts', async () => {
  const { runtime, where } = await testApp()
  const { db } = runtime.system
  const superuser = new pg.Client({ ...inject('superuser'), database: String(where.database) })
  await superuser.connect()
  await superuser.query('create table changing (n int)')
  await superuser.query('grant select on changing to rollcall_system')
  const asking = () => db.all(sql`select * from changing`)
  expect(await asking()).toEqual([])
  await superuser.query(`alter table changing add word text`)
  await superuser.query(`insert into changing values (1, 'one')`)
  await superuser.end()
  await expect(asking()).rejects.toMatchObject({ code: '0A000' })
  expect(await asking()).toEqual([{ n: 1, word: 'one' }])
})

test('a connection that has prepared very many statements is replaced', async () => {
  const { runtime } = await testApp()
  const { db } = runtime.system
  const backend = () => db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const before = await backend()
  await db.transaction(async (inner) => {
    for (let n = 0; n < 2_001; n++) await inner.all(sql`select ${sql.raw(String(n))} as n`)
  })
  expect((await backend()).pid).not.toBe(before.pid)
})
