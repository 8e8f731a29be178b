import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Ctx } from '../../context.ts'
import { compileUnnamed } from '../../database/sql.ts'
import type { Query } from '../../database/db.ts'
import type { Field } from '../field.ts'
import { parseCondition } from '../parse.ts'
import type { Subject } from '../subject.ts'
import { decidedSql } from './decided-in-memory.ts'

const field = (name: string, more: Partial<Field>): Field => ({
  name,
  type: 'text',
  sentence: '',
  source: '',
  sql: sql.ref(name),
  read: (row) => row[name],
  ...more,
})
const major = (text: unknown) => Number(String(text).split('.')[0])
const vocabulary = {
  fields: [
    field('os', {}),
    field('kernel', {
      type: 'version',
      compareVersion: (row: Readonly<Record<string, unknown>>, version: string) =>
        major(row['kernel']) - major(version),
    } as Partial<Field>),
  ],
  collections: [],
}
const subject = {
  name: 'asset',
  vocabulary,
  fields: [],
  collections: [],
  from: sql`assets`,
  where: sql`of_tenant`,
  id: sql`id`,
  values: { kernel: sql`kernel` },
  searchTexts: {},
} as unknown as Subject

type Row = { readonly id: string; readonly row: Readonly<Record<string, unknown>> }

/** More than are ever read. */
const STRETCHES_MAX = 20

/** Answers candidates in pages of what was asked for. */
function scene(rows: readonly Row[]) {
  const asked = vi.fn<(text: string, values: readonly unknown[]) => void>()
  let given = 0
  const cached = (query: Query<Row>) => {
    const { text, values = [] } = compileUnnamed(query)
    asked(text, values)
    if (asked.mock.calls.length > STRETCHES_MAX) throw new Error('it is asked without an end')
    const page = rows.slice(given, (given += 5_000))
    return Promise.resolve(page)
  }
  const ctx = { db: { cached } } as unknown as Ctx
  const decide = async (text: string) => {
    const condition = parseCondition(text, vocabulary)
    const held = await decidedSql(ctx, { subject, condition, field: 'where', now: new Date(0) })
    return compileUnnamed(held)
  }
  return { decide, asked }
}
const rowsOf = (count: number, kernel: unknown = '6.1') =>
  Array.from({ length: count }, (_, at) => ({ id: `id ${at}`, row: { kernel } }))

test('what SQL can compare is compared by it alone', async () => {
  const { decide, asked } = scene([])
  expect((await decide('os = linux')).text).toContain('os')
  expect(asked).not.toHaveBeenCalled()
})

test('of what is decided in memory, true, false and unknown are kept apart', async () => {
  const { decide, asked } = scene([
    { id: 'new', row: { kernel: '6.1' } },
    { id: 'old', row: { kernel: '5.1' } },
    { id: 'silent', row: { kernel: null } },
  ])
  const { text, values } = await decide('kernel >= 6')
  expect(values).toEqual([['new'], ['silent']])
  expect(text).toBe(
    '(case when id = any($1::uuid[]) then true when id = any($2::uuid[]) then null else false end)',
  )
  const [asking] = asked.mock.calls[0] ?? []
  // of the tenant alone, whatever the rest of the condition says
  expect(asking).toMatch(/where of_tenant and true and \S+ is not false/)
})

test.each([
  [0, 1],
  [4_999, 1],
  [5_000, 2],
  [5_001, 2],
  [50_000, 11],
])('%i candidates are read in %i stretches, each behind the one before', async (count, stretches) => {
  const { decide, asked } = scene(rowsOf(count))
  const { values } = await decide('kernel >= 6')
  expect((values?.[0] as unknown[] | undefined)?.length).toBe(count)
  expect(asked).toHaveBeenCalledTimes(stretches)
  const behind = asked.mock.calls.map(([, values]) => values.find((it) => String(it).startsWith('id ')))
  expect(behind).toEqual(
    Array.from({ length: stretches }, (_, at) => (at === 0 ? undefined : `id ${at * 5_000 - 1}`)),
  )
})

test('more than fifty thousand are refused', async () => {
  await expect(scene(rowsOf(50_001)).decide('kernel >= 6')).rejects.toMatchObject({
    status: 400,
    extras: { field: 'where' },
  })
})
