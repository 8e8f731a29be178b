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
