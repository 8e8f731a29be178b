import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { deleteAsset, getAsset, listAssets } from '#features/assets/assets.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { addTags } from '#features/assets/editing/tags.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { catchUp, horizonOf, type Copied } from './catch-up.ts'
import { compareTables, copyTables, type Copying } from './copy-tenant.ts'
import { tenantTables } from './tenant-tables.ts'

const source = { kind: 'csv', name: 'list' }
const host = (n: number) => ({
  sourceKey: `host-${n}`,
  seenAt: new Date(),
  assetType: 'device' as const,
  identifiers: [
    { type: 'serial' as const, value: `SN-${n}-MOVED` },
    { type: 'hostname' as const, value: `host-${n}` },
  ],
})

/** Two databases, and a tenant in one of them. */
async function twoDatabases() {
  const [here, there] = [await testApp(), await testApp()]
  const ctx = await here.newTenant()
  const [from, to] = [new pg.Client(here.where), new pg.Client(there.where)]
  for (const client of [from, to]) {
    await client.connect()
    await client.query(`set timezone = 'UTC'`)
    onTestFinished(() => client.end())
  }
  const copying: Copying = { from, to, tenantId: ctx.tenantId }
  const tables = (await tenantTables(from)).filter((it) => !it.isOfDirectory && !it.isPartitioned)
  const asOneState = async <T>(work: () => Promise<T>): Promise<T> => {
    await from.query('begin transaction isolation level repeatable read, read only')
    try {
      return await work()
    } finally {
      await from.query('rollback')
    }
  }
  const ahead = (): Promise<Copied> =>
    asOneState(async () => {
      const horizon = await horizonOf(from)
      await copyTables(copying, tables)
      return { horizon, tables: await compareTables(copying, tables) }
    })
  const onward = (before: Copied): Promise<Copied> => asOneState(() => catchUp(copying, tables, before))
  await to.query('begin')
  return { ctx, ahead, onward }
}

test('what was written, joined and deleted after the copy is there after the second look, and again after a third', async () => {
  const { ctx, ahead, onward } = await twoDatabases()
  await submit(ctx, source, [1, 2, 3, 4, 5].map(host))
  const idOf = async (n: number) =>
    (await listAssets(ctx, { limit: 1, offset: 0 }, { search: `host-${n}` })).items[0]?.id ?? ''
  const copied = await ahead()
  const [a, b, c, d] = [await idOf(1), await idOf(2), await idOf(3), await idOf(4)]
  await addTags(ctx, { assetIds: [a], tags: ['prod'] })
  // two of one moment: either may be the survivor
  const joined = await mergeAssets(ctx, { assetIdA: a, assetIdB: b, reason: 'the same' })
  await deleteAsset(ctx, c)
  await submit(ctx, source, [6, 7].map(host))
  // it throws where anything differs
  const second = await onward(copied)
  expect(second.tables.get('assets')?.rows).toBe((await listAssets(ctx, { limit: 1, offset: 0 })).total)
  await deleteAsset(ctx, d)
  const third = await onward(second)
  expect(third.tables.get('assets')?.rows).toBe(4)
  expect((await getAsset(ctx, joined.id)).tags).toEqual(['prod'])
  expect((await onward(third)).tables).toEqual(third.tables)
})

test('a unique value that went from one row to another, or from one that is gone, is brought up to date', async () => {
  const { ctx, ahead, onward } = await twoDatabases()
  const [one, two, three] = [
    await defineCustomField(ctx, { name: 'one', kind: 'text' }),
    await defineCustomField(ctx, { name: 'two', kind: 'text' }),
    await defineCustomField(ctx, { name: 'three', kind: 'text' }),
  ]
  const rename = (id: string, key: string) =>
    ctx.db.run(sql`
      update asset_custom_fields set key = ${key}, name = ${key} where tenant_id = ${ctx.tenantId} and id = ${id}`)
  const copied = await ahead()
  await rename(one.id, 'x')
  await rename(two.id, 'one')
  await rename(one.id, 'two')
  // it throws where anything differs
  const swapped = await onward(copied)
  await ctx.db.run(
    sql`delete from asset_custom_fields where tenant_id = ${ctx.tenantId} and id = ${three.id}`,
  )
  await rename(two.id, 'three')
  expect((await onward(swapped)).tables.get('asset_custom_fields')?.rows).toBe(2)
})
