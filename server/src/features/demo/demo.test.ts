import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { listSources } from '#features/sources/sources.ts'
import { listEntitlements, listPlaces } from '#features/records/records.ts'
import { listLinks } from '#features/topology/topology.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { createDemoData } from './demo.ts'

const count = async (ctx: Ctx, description: ReturnType<typeof sql>): Promise<number> =>
  (
    await ctx.db.one(
      sql<{ n: number }>`select ${description} as n from assets where tenant_id = ${ctx.tenantId}`,
    )
  ).n

describe('an estate', () => {
  test('is exactly as many assets as asked for, of all types, and the second time changes nothing', async () => {
    const ctx = await (await testApp()).newTenant()
    const first = await createDemoData(ctx, { assets: 500, seed: 1 })
    expect(first.created).toBe(500)
    expect(first.observed).toBe(first.created + first.updated + first.unchanged)
    expect(await count(ctx, sql`count(*)`)).toBe(500)
    expect(await count(ctx, sql`count(distinct asset_type)`)).toBe(11)
    expect(await listSources(ctx)).toHaveLength(14)
    const second = await createDemoData(ctx, { assets: 500, seed: 1 })
    expect(second).toMatchObject({ created: 0, updated: 0, unchanged: second.observed })
  })

  test('has owners, places, states, prices, warranties and links of its devices', async () => {
    const ctx = await (await testApp()).newTenant()
    await createDemoData(ctx, { assets: 300, seed: 1 })
    const places = await listPlaces(ctx)
    expect(places.map(({ path }) => path)).toContain('Oslo / Store room')
    const counts = () =>
      ctx.db.one(sql`
        select count(*) as records, count(owner) as owners, count(distinct state) as states, sum(price) as price,
          count(warranty_ends) filter (where warranty_ends < current_date) as ended, count(place_id) as placed
        from asset_records where tenant_id = ${ctx.tenantId}`)
    const first = await counts()
    expect(first).toMatchObject({ states: 4 })
    expect(
      Object.values(first as Record<string, number>)
        .map(Number)
        .every((n) => n > 0),
    ).toBe(true)
    const { items } = await listLinks(ctx, { limit: 500, offset: 0 })
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['lldp', 'vm_on_host']))
    const unknown = items.filter(({ bAsset }) => bAsset === null)
    expect(unknown.length).toBeLessThan(items.length / 10)
    const entitled = await listEntitlements(ctx)
    expect(entitled).toMatchObject([
      { product: 'Microsoft 365 E3' },
      { product: 'Visio Professional' },
      { product: 'WinRAR' },
      { metric: 'core' },
    ])
    expect(entitled[0]?.used).toBeGreaterThan(entitled[0]?.count ?? 0)
    await createDemoData(ctx, { assets: 300, seed: 1 })
    expect(await listEntitlements(ctx)).toEqual(entitled)
    expect(await counts()).toEqual(first)
  })

  test('has custom fields, groups, relations, files, weights and an archive, once', async () => {
    const ctx = await (await testApp()).newTenant()
    await createDemoData(ctx, { assets: 300, seed: 1 })
    const counts = () =>
      ctx.db.one(sql`
        select (select count(distinct field_id) from asset_custom_values where tenant_id = ${ctx.tenantId}) as fields,
          (select count(*) from asset_groups where tenant_id = ${ctx.tenantId}) as groups,
          (select count(*) from asset_relations where tenant_id = ${ctx.tenantId}) as relations,
          (select count(*) from attachments where tenant_id = ${ctx.tenantId}) as files,
          (select count(*) from asset_weights where tenant_id = ${ctx.tenantId} and criticality <> 'normal') as weights,
          (select count(*) from assets where tenant_id = ${ctx.tenantId} and archived_at is not null) as archived`)
    const first = (await counts()) as Record<string, number>
    expect(first).toMatchObject({ fields: 4, groups: 4, relations: 3, files: 2, archived: 2 })
    expect(first['weights']).toBeGreaterThan(1)
    await createDemoData(ctx, { assets: 300, seed: 1 })
    expect(await counts()).toEqual(first)
    const { total } = await listAssets(
      ctx,
      { limit: 1, offset: 0 },
      { where: 'group = "Servers without a backup"' },
    )
    expect(total).toBeGreaterThan(0)
  })

  test('of another seed stands beside it', async () => {
    const ctx = await (await testApp()).newTenant()
    await createDemoData(ctx, { assets: 11, seed: 1 })
    expect((await createDemoData(ctx, { assets: 11, seed: 2 })).created).toBeGreaterThan(0)
  })
})

test.each([
  [{ assets: 0, seed: 1 }, 'assets: is not a whole number from 1 to 1000000'],
  [{ assets: 1.5, seed: 1 }, 'assets: '],
  [{ assets: 1_000_001, seed: 1 }, 'assets: '],
  [{ assets: 10, seed: Number.NaN }, 'seed: is not a whole number from 0'],
])('%j is refused', async (order, why) => {
  const ctx = await (await testApp()).newTenant()
  await expect(createDemoData(ctx, order)).rejects.toThrow(why)
})

test('needs the permission to change assets', async () => {
  const ctx = await (await testApp()).newTenant()
  const guest: Ctx = { ...ctx, actor: { kind: 'user', id: 'u', may: () => false } }
  await expect(createDemoData(guest, { assets: 1, seed: 1 })).rejects.toThrow(
    'permission required: assets:write',
  )
})
