import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '../../../test/support/app/test-app.ts'
import {
  bulkChangeAssets,
  cancelBulkChange,
  getBulkChange,
  listBulkChanges,
  startBulkChange,
  undoBulkChange,
} from './bulk-changes.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

const app = sharedTestApp()
const ALL = { limit: 9, offset: 0 }

async function scene() {
  const ctx = await app().newTenant()
  await submit(
    ctx,
    { kind: 'csv', name: 'test' },
    ['near', 'far'].map((name) => ({
      sourceKey: name,
      seenAt: ctx.now(),
      assetType: 'device' as const,
      name,
      vendor: 'Acme',
      identifiers: [{ type: 'serial' as const, value: `serial-${name}` }],
    })),
  )
  const [near, far] = [await idOf(ctx, 'near'), await idOf(ctx, 'far')]
  return { ctx, near, far, limited: ctx.conditions.limit(ctx, `id in (${near})`) }
}

async function idOf(ctx: Ctx, name: string): Promise<string> {
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and name = ${name}`)
  return id
}

const tagsOf = async (ctx: Ctx) =>
  Object.fromEntries(
    (
      await ctx.db.all(sql<{ name: string; tags: string[] }>`
        select name, tags from assets where tenant_id = ${ctx.tenantId}`)
    ).map(({ name, tags }) => [name, tags]),
  )

test('a change of all that match is of those within the condition, and so is its undoing', async () => {
  const { ctx, near, limited } = await scene()
  const { id } = await startBulkChange(limited, {
    verb: 'add_tags',
    values: { tags: ['x'] },
    where: 'vendor = Acme',
  })
  await workOnBulkChange(ctx, { changeId: id })
  expect(await getBulkChange(limited, id)).toMatchObject({ status: 'completed', total: 1, changed: 1 })
  expect(await tagsOf(ctx)).toEqual({ near: ['x'], far: [] })
  expect((await bulkChangeAssets(limited, id, ALL)).items).toMatchObject([{ assetId: near, name: 'near' }])
  const undoing = await undoBulkChange(limited, id)
  await workOnBulkChange(ctx, { changeId: undoing.id })
  expect(await tagsOf(ctx)).toEqual({ near: [], far: [] })
})

test('an asset beyond the condition cannot be named, and one that left it is not changed any more', async () => {
  const { ctx, near, far } = await scene()
  const limited = ctx.conditions.limit(ctx, 'tag = mine')
  await ctx.db.run(
    sql`update assets set tags = '{mine}', normalized_tags = '{mine}' where tenant_id = ${ctx.tenantId} and id = ${near}`,
  )
  const change = { verb: 'add_tags', values: { tags: ['x'] } } as const
  await expect(startBulkChange(limited, { ...change, assetIds: [near, far] })).rejects.toMatchObject({
    status: 404,
  })
  const { id } = await startBulkChange(limited, { ...change, assetIds: [near] })
  await ctx.db.run(
    sql`update assets set tags = '{}', normalized_tags = '{}' where tenant_id = ${ctx.tenantId} and id = ${near}`,
  )
  await workOnBulkChange(ctx, { changeId: id })
  expect(await getBulkChange(ctx, id)).toMatchObject({ status: 'completed', done: 1, changed: 0 })
  expect(await tagsOf(ctx)).toEqual({ near: [], far: [] })
  expect(await bulkChangeAssets(limited, id, ALL)).toEqual({ items: [], total: 0 })
})

test('the count to delete is of what is seen, and others stay', async () => {
  const { ctx, near, limited } = await scene()
  const { id } = await startBulkChange(limited, { verb: 'delete', where: 'vendor = Acme', confirm: 1 })
  await workOnBulkChange(ctx, { changeId: id })
  expect(Object.keys(await tagsOf(ctx))).toEqual(['far'])
  expect((await bulkChangeAssets(limited, id, ALL)).items).toMatchObject([{ assetId: near, name: 'near' }])
})

test('changes of others are not there', async () => {
  const { ctx, limited } = await scene()
  const { id } = await startBulkChange(ctx, { verb: 'archive', where: 'vendor = Acme' })
  expect(await listBulkChanges(limited, ALL)).toEqual({ items: [], total: 0 })
  for (const attempt of [getBulkChange, cancelBulkChange, undoBulkChange])
    await expect(attempt(limited, id)).rejects.toMatchObject({ status: 404 })
})
