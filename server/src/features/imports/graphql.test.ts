import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { upload, work } from './uploads.fixture.ts'

const home = sharedTestApp({ contextOf: believed })
const askOf = (ctx: Ctx, permissions?: readonly string[]) =>
  fieldAsker(asker(home().as(), headersOf(ctx, permissions ?? 'all')))

const FIELDS = `id name status message format bytes received bytesRead observed created updated unchanged rejectedTotal
  rejected { line field message } problem rows isDocument subject columns { title column examples }
  sample { line name type version identifiers } wouldReject { line field message } wouldRejectTotal
  startedAt finishedAt comparison { shared }`

const TABLE = 'Name,Serial,Where\nweb-1,SN-00001,Oslo\n,,Oslo\nweb-3,SN-00003,Bergen\n'

test('a file is looked through, looked through with other columns, and imported', async () => {
  const ctx = await home().newTenant()
  const ask = askOf(ctx)
  const { id } = await upload(ctx, TABLE)
  const read = () =>
    ask<Record<string, unknown>>(`query ($id: ID!) { import(id: $id) { ${FIELDS} } }`, { id })
  expect(await read()).toMatchObject({
    id,
    name: 'things.csv',
    bytes: TABLE.length,
    received: TABLE.length,
    bytesRead: 0,
    format: null,
    problem: null,
    rows: null,
    isDocument: false,
    subject: null,
    columns: [],
    sample: [],
    comparison: null,
    wouldReject: [],
    wouldRejectTotal: 0,
    startedAt: null,
    finishedAt: null,
  })
  await work(ctx, id)
  const previewed = await read()
  expect(previewed).toMatchObject({
    status: 'ready',
    format: 'csv',
    rows: 2,
    isDocument: false,
    observed: 0,
    wouldRejectTotal: 1,
    wouldReject: [{ line: 3, field: 'name' }],
    columns: [
      { title: 'Name', column: 'name', examples: ['web-1', 'web-3'] },
      { title: 'Serial', column: 'serial', examples: ['SN-00001', 'SN-00003'] },
      { title: 'Where', column: null, examples: ['Oslo', 'Oslo', 'Bergen'] },
    ],
  })
  const check = (columns: readonly string[]) =>
    ask('mutation ($id: ID!, $columns: [String!]!) { checkImport(id: $id, columns: $columns) { status } }', {
      id,
      columns,
    })
  await check(['name', 'serial', 'notes'])
  await work(ctx, id)
  expect(await read()).toMatchObject({
    status: 'ready',
    columns: [{}, {}, { title: 'Where', column: 'notes' }],
  })
  await ask('mutation ($id: ID!) { startImport(id: $id) { status } }', { id })
  await work(ctx, id)
  expect(await read()).toMatchObject({
    status: 'completed',
    observed: 2,
    created: 2,
    updated: 0,
    unchanged: 0,
    rejectedTotal: 1,
    bytesRead: TABLE.length,
    rejected: [{ line: 3, field: 'name' }],
    startedAt: expect.stringMatching(/Z$/),
    finishedAt: expect.stringMatching(/Z$/),
  })
  expect(await ask('{ imports { total items { id status } } }')).toEqual({
    total: 1,
    items: [{ id, status: 'completed' }],
  })
})

test('imports are listed by pages, newest first, and cancelled', async () => {
  const ctx = await home().newTenant()
  const ask = askOf(ctx)
  const [one, two] = [
    await upload(ctx, TABLE, { name: 'one.csv' }),
    await upload(ctx, TABLE, { name: 'two.csv' }),
  ]
  const list = (page: string) => ask(`{ imports${page} { total items { id } } }`)
  expect(await list('')).toEqual({ total: 2, items: [{ id: two.id }, { id: one.id }] })
  expect(await list('(first: 1, offset: 1)')).toEqual({ total: 2, items: [{ id: one.id }] })
  const cancel = (id: string) => ask('mutation ($id: ID!) { cancelImport(id: $id) { status } }', { id })
  expect(await cancel(one.id)).toEqual({ status: 'cancelled' })
  await expect(cancel(one.id)).rejects.toThrow('conflict')
  const elsewhere = askOf(await home().newTenant())
  await expect(elsewhere('query ($id: ID!) { import(id: $id) { id } }', { id: two.id })).rejects.toThrow(
    'not_found',
  )
  await expect(askOf(ctx, ['assets:read'])('{ imports { total } }')).rejects.toThrow('forbidden')
})
