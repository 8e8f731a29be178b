import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { newUuid } from '#platform/uuid.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seenWithinLimit } from '#test/support/seen-within-limit.ts'
import { csv, observationIds, seen } from './observations.fixture.ts'

const home = sharedTestApp()
let ctx: Ctx

beforeAll(async () => {
  ctx = await home().newTenant()
  await submit(ctx, csv, [
    seen(
      'a',
      { serial: 'PF0AAA01', hostname: 'a.example' },
      { name: 'a', tags: ['near'], assetType: 'device' },
    ),
    seen(
      'b',
      { serial: 'PF0AAA02', hostname: 'b.example' },
      { name: 'b', tags: ['near'], assetType: 'device' },
    ),
    seen('c', { serial: 'PF0AAA03', hostname: 'c.example' }, { name: 'c', assetType: 'device' }),
    seen('d', { serial: 'PF0AAA04', hostname: 'd.example' }, { name: 'd', assetType: 'device' }),
  ])
})

test('of what belongs to assets, that of visible ones is seen', async () => {
  expect(
    await seenWithinLimit(ctx, ['assets', 'asset_observations', 'asset_identifiers', 'asset_search']),
  ).toEqual({
    assets: '2 of 4',
    asset_observations: '2 of 4',
    asset_identifiers: '4 of 8',
    asset_search: '2 of 4',
  })
  const counts = (who: Ctx) =>
    who.db.all(sql`select n from asset_counts where tenant_id = ${who.tenantId} and asset_type = 'device'`)
  expect(await counts(ctx.conditions.limit(ctx, 'tag = near'))).toEqual([{ n: 2 }])
  expect(await counts(ctx)).toEqual([{ n: 4 }])
})

test('of what is about two assets, that is seen whose both are visible', async () => {
  const assets = await ctx.db.all(sql<{ id: string; name: string }>`
    select id, name from assets where tenant_id = ${ctx.tenantId}`)
  const assetOf = (name: string) => assets.find((it) => it.name === name)?.id ?? ''
  const observations = await observationIds(ctx)
  const pairs = ['a b', 'a c', 'c b', 'c d'].map((it) => it.split(' '))
  for (const [one = '', other = ''] of pairs) {
    const [a, b] = [observations[one] ?? '', observations[other] ?? ''].toSorted()
    await ctx.db.run(sql`
      insert into asset_constraints (tenant_id, a, b, kind, actor_kind, actor_id, reason)
      values (${ctx.tenantId}, ${a}, ${b}, 'cannot_link', 'user', 'ada', 'because')`)
    const [assetA, assetB] = [assetOf(one), assetOf(other)].toSorted()
    await ctx.db.run(sql`
      insert into asset_merge_suggestions (tenant_id, asset_a, asset_b, reason, suggested_by, suggested_at)
      values (${ctx.tenantId}, ${assetA}, ${assetB}, 'because', 'ada', ${ctx.now()})`)
  }
  expect(await seenWithinLimit(ctx, ['asset_constraints', 'asset_merge_suggestions'])).toEqual({
    asset_constraints: '1 of 4',
    asset_merge_suggestions: '1 of 4',
  })
})

test('names of hosts are remembered for whom a visible asset has them', async () => {
  const scope = await ctx.db.one(sql<{ scope: string }>`
    select distinct scope from asset_observations where tenant_id = ${ctx.tenantId}`)
  for (const name of ['a', 'a.example', 'c', 'c.example', 'ample'])
    await ctx.db.run(sql`
      insert into asset_remembered_names (tenant_id, id, scope, name, reason, actor_kind, actor_id, created_at)
      values (${ctx.tenantId}, ${newUuid(ctx.now())}, ${scope.scope}, ${name}, 'because', 'user', 'ada', ${ctx.now()})`)
  expect(await seenWithinLimit(ctx, ['asset_remembered_names'])).toEqual({ asset_remembered_names: '2 of 5' })
})
