import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Refusal } from '../errors.ts'
import type { Db, Query } from './database.ts'
import { limitedDb, type LimitedTable } from './limited-db.ts'
import { compileUnnamed } from './sql.ts'

const looks = new Map<string, LimitedTable>([
  ['things', { needs: [], rows: sql`select t.* from things t where t.tenant_id = ${'a'} and t.is_mine` }],
  [
    'parts',
    { needs: ['things'], rows: sql`select p.* from parts p where p.thing_id in (select id from things)` },
  ],
  ['words', 'whole'],
  ['people', 'writable'],
  ['log', 'appended'],
])
const sent: string[] = []
const whole = {
  all: (query: Query<unknown>) => {
    sent.push(compileUnnamed(query).text)
    return Promise.resolve([])
  },
} as unknown as Db
const db = limitedDb(whole, {
  tables: new Set(['things', 'parts', 'words', 'people', 'log', 'secrets']),
  readers: new Set(['find_things']),
  refusal: () => new Refusal(403, 'forbidden', 'no'),
  looks: () => Promise.resolve(looks),
})
const asSent = async (query: Query<unknown>): Promise<string> => {
  sent.length = 0
  await db.all(query)
  return sent[0] ?? ''
}
const THINGS =
  'with things as not materialized (select t.* from things t where t.tenant_id = $1 and t.is_mine)'

test('a statement reads the tables as they look, with what they need before them', async () => {
  expect(await asSent(sql`select id from things where id = ${1}`)).toBe(
    `${THINGS} (select id from things where id = $2)`,
  )
  const parts = await asSent(sql`select 1 from words w join parts p on p.id = w.id`)
  expect(parts).toMatch(/^with things as .*, parts as .*\(select 1 from words w join parts p/)
})

test.each([
  sql`select 1 from ${sql.table('things')}`,
  sql`select 1 from words, things`,
  sql`select exists (select from Things)`,
  sql`select 1 from words union all select 2 from things`,
  sql`(table things)`,
])('whichever way a table is named: %#', async (query) => {
  expect(await asSent(query)).toMatch(/^with things as/)
})

test('expressions of its own stand inside of another statement', async () => {
  expect(await asSent(sql`with x as (select id from things) select * from x order by id`)).toBe(
    `${THINGS} select * from (with x as (select id from things) select * from x order by id) as seen`,
  )
})

test.each([
  sql`select pg_advisory_xact_lock(1)`,
  sql`set local statement_timeout = 1`,
  sql`select count(*) as secrets from words`,
  sql`select 'secrets' as it from words /* secrets */`,
  sql`select 1 from words for update`,
  sql`update people set name = 'x' where id = 1`,
  sql`insert into log (id) values (1) on conflict (id) do update set id = 2 returning id`,
])('what says nothing about single things is left as it is: %#', async (query) => {
  expect(await asSent(query)).toBe(compileUnnamed(query).text)
})

test.each([
  sql`select 1 from secrets`,
  sql`select 1 from ${sql.table('secrets')}`,
  sql`select 1 from words, secrets s`,
  sql`select 1 from words where exists (select from secrets)`,
  sql`select 1 from public.things`,
  sql`select 1 from log`,
  sql`select find_things(1)`,
  sql`insert into things (id) values (1)`,
  sql`update things set id = 2`,
  sql`update words set id = 2`,
  sql`delete from things`,
  sql`with gone as (delete from things returning id) select 1 from gone`,
  sql`with made as (insert into people (id) select id from things returning id) select 1 from made`,
  sql`select 1 from words for update; update things set id = 2`,
  sql`create table x (id int)`,
  sql`truncate things`,
])('the rest is refused: %#', async (query) => {
  await expect(asSent(query)).rejects.toMatchObject({ status: 403 })
})
