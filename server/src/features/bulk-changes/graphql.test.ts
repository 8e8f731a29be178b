import { beforeEach, expect, test } from 'vitest'
import { assetsOf, csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, PERSON, type Ask } from '#test/support/http/graphql-client.ts'
import { bulkChangeTopic } from './bulk-change-topic.ts'
import { live } from './live.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

const home = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: Ask
let ids: readonly string[]
beforeEach(async () => {
  ctx = await home().newTenant()
  ask = asker(home().as(), headersOf(ctx))
  await submit(ctx, csv, [seen('1', { hostname: 'web-1' }), seen('2', { hostname: 'web-2' })])
  ids = (await assetsOf(ctx)).filter(({ name }) => name.startsWith('web')).map((it) => it.id)
})

async function data<T = Readonly<Record<string, unknown>>>(query: string, variables = {}): Promise<T> {
  const { data: found, errors } = await ask<T>(query, variables)
  expect(errors).toBeUndefined()
  return found as T
}

const FIELDS =
  'id verb subject values where status message total done changed undoOf undoneBy startedBy createdAt finishedAt'

test('assets are counted, changed, listed, and given back what they had', async () => {
  const [first = ''] = ids
  expect(await data('{ bulkSelectionCount(where: "name:web") }')).toEqual({ bulkSelectionCount: 2 })
  const { startBulkChange } = await data<{ startBulkChange: { id: string } }>(
    `mutation ($ids: [ID!]) { startBulkChange(verb: add_tags, assetIds: $ids, values: { tags: ["x"] }) { ${FIELDS} } }`,
    { ids: [first] },
  )
  expect(startBulkChange).toMatchObject({
    verb: 'add_tags',
    subject: 'asset',
    values: { tags: ['x'] },
    where: null,
    message: '',
    undoOf: null,
    undoneBy: null,
    startedBy: PERSON,
    finishedAt: null,
  })
  const { id } = startBulkChange
  await workOnBulkChange(ctx, { changeId: id })
  expect(await data(`{ bulkChange(id: "${id}") { status done changed } }`)).toEqual({
    bulkChange: { status: 'completed', done: 1, changed: 1 },
  })
  expect(
    await data(`{ bulkChangeAssets(id: "${id}") { total items { assetId isDone isChanged } } }`),
  ).toEqual({
    bulkChangeAssets: { total: 1, items: [{ assetId: first, isDone: true, isChanged: true }] },
  })
  const { undoBulkChange } = await data<{ undoBulkChange: { id: string } }>(
    `mutation { undoBulkChange(id: "${id}") { id undoOf } }`,
  )
  expect(undoBulkChange).toMatchObject({ undoOf: id })
  const cancelled = await data(`mutation { cancelBulkChange(id: "${undoBulkChange.id}") { status } }`)
  expect(cancelled).toEqual({ cancelBulkChange: { status: 'cancelled' } })
  expect(await data('{ bulkChanges(first: 1) { total items { id } } }')).toEqual({
    bulkChanges: { total: 2, items: [{ id: undoBulkChange.id }] },
  })
})

test.each([
  ['where: "name:web", verb: set_weight, values: { criticality: low }', { criticality: 'low' }],
  ['where: "name:web", verb: archive', {}],
])('%s takes the values that are given, and no others', async (args, values) => {
  const { startBulkChange } = await data(`mutation { startBulkChange(${args}) { values where } }`)
  expect(startBulkChange).toEqual({ values, where: 'name:web' })
})

test('live pages are told of the changes of their tenant, the newest first', async () => {
  const [topic] = live
  expect(topic?.topicOf(ctx.tenantId)).toBe(bulkChangeTopic(ctx.tenantId))
  expect(await topic?.read(ctx)).toEqual({ bulkChanges: [] })
  for (const verb of ['archive', 'revive'])
    await data(`mutation { startBulkChange(verb: ${verb}, where: "name:web") { id } }`)
  expect(await topic?.read(ctx)).toMatchObject({ bulkChanges: [{ verb: 'revive' }, { verb: 'archive' }] })
})
