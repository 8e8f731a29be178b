import { sql, type RawBuilder } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { CollectionSql, ElementsOfMany } from '../field.ts'
import { columnsOf } from './columns.ts'
import { passOver } from './pass-over-elements.ts'

const home = sharedTestApp()
const [RED, BLUE, GREEN] = [1, 2, 3]

/** 1 has a red and two blue ones, 2 a blue one, 3 none. */
const TABLES = sql`
  subjects (id) as (values (1), (2), (3)),
  elements (subject, colour) as (values (1, ${RED}::bigint), (1, ${BLUE}), (1, ${BLUE}), (2, ${BLUE}))`
const from = sql`elements e`
const of = sql`e.subject = s.id`
const isKnown = sql<boolean>`s.id < 3`
const all = () => sql<boolean>`true`
const none = () => sql<number>`0`
const is = (colour: number) => sql<boolean>`e.colour = ${colour}`

const rows = (ofMany?: ElementsOfMany): CollectionSql & { kind: 'rows' } => ({
  kind: 'rows',
  isKnown,
  from,
  of,
  any: all,
  count: none,
  ...(ofMany && { ofMany }),
})
const dictionary: CollectionSql & { kind: 'dictionary' } = {
  kind: 'dictionary',
  isKnown,
  any: all,
  anyOfFew: all,
  held: { from, of, id: sql`e.colour` },
  count: (ids) =>
    sql<number>`(select count(*) from elements e where ${of} and e.colour = any(${[...ids]}::bigint[]))`,
  anyAtAll: sql<boolean>`exists (select from elements e where ${of})`,
  size: async () => 3,
  entries: async () => [],
}

async function answersOf(
  collection: CollectionSql,
  ask: (asked: CollectionSql) => Promise<Readonly<Record<string, RawBuilder<unknown>>>>,
): Promise<unknown[][]> {
  const facts = columnsOf('facts')
  const pass = passOver(collection, { columns: facts, name: 'pass', id: sql`s.id` })
  const asked = Object.values(await ask(pass.sql))
  const among = (id: RawBuilder<unknown>) => sql<boolean>`${id} in (select id from subjects)`
  const found = await home().runtime.system.db.all(sql<{ answers: unknown[] }>`
    with ${TABLES}
    select json_build_array(${sql.join([sql`facts.id`, ...asked])}) as answers
    from (select ${sql.join([sql`s.id`, ...facts.selected()])} from subjects s
      ${sql.join(pass.joined(among), sql` `)}) as facts
    order by facts.id`)
  return found.map(({ answers }) => answers)
}

test.each<[string, ElementsOfMany | undefined]>([
  ['of each subject', undefined],
  ['of many subjects', { where: sql`true`, subjectId: sql`e.subject` }],
])('rows %s answer all questions in one pass', async (_, ofMany) => {
  const answers = await answersOf(rows(ofMany), async (it) => {
    if (it.kind !== 'rows') throw new Error(it.kind)
    return { known: it.isKnown, red: it.any(is(RED)), green: it.any(is(GREEN)), blue: it.count(is(BLUE)) }
  })
  expect(answers).toEqual([
    [1, true, true, false, 2],
    [2, true, false, false, 1],
    [3, false, false, false, 0],
  ])
})

test('entries of a dictionary answer by the ids that somebody asks about', async () => {
  const answers = await answersOf(dictionary, async (it) => {
    if (it.kind !== 'dictionary') throw new Error(it.kind)
    const [red, either, nothing] = [await it.any([RED]), await it.any([GREEN, BLUE]), await it.any([])]
    return { known: it.isKnown, red, either, nothing, any: it.anyAtAll, blue: it.count([BLUE]) }
  })
  expect(answers).toEqual([
    [1, true, true, true, false, true, 2],
    [2, true, false, true, false, true, 1],
    [3, false, false, false, false, false, 0],
  ])
})

test.each([
  ['rows', rows()],
  ['rows of many subjects', rows({ where: sql`true`, subjectId: sql`e.subject` })],
  ['entries of a dictionary', dictionary],
])('%s that nobody asks about are not read', async (_, collection) => {
  const columns = columnsOf('facts')
  const pass = passOver(collection, { columns, name: 'pass', id: sql`s.id` })
  expect(pass.joined(all)).toEqual([])
  if (pass.sql.kind === 'dictionary') await pass.sql.any([])
  expect(pass.joined(all)).toEqual([])
})
