import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seedTenant } from '../../../../bench/seed/seed.ts'
import { listAssets, listCandidates } from '../assets.ts'

const SIZE = 6_000
const PAGE = { limit: 50, offset: 0 }

const home = sharedTestApp()

test('possible duplicates look up the assets of their pairs and no others', async () => {
  const { runtime, where } = home()
  const superuser = { ...inject('superuser'), database: String(where.database) }
  const ctx = runtime.contextFor((await seedTenant(runtime, superuser, SIZE)).id)
  const { items } = await listAssets(ctx, { limit: 2, offset: 0 })
  const [a, b] = items.map(({ id }) => id).toSorted()
  await ctx.db.run(sql`
    insert into asset_merge_suggestions (tenant_id, asset_a, asset_b, reason, suggested_by, suggested_at)
    values (${ctx.tenantId}, ${a}, ${b}, '', 'somebody', now())`)
  const read = sql<{ n: number }>`
    select pg_stat_get_xact_tuples_returned('assets'::regclass)
      + sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint as n
    from pg_index where indrelid = 'assets'::regclass`
  await ctx.db.transaction(async (db) => {
    const before = await db.one(read)
    expect(await listCandidates({ ...ctx, db }, PAGE)).toMatchObject({ total: 1 })
    expect((await db.one(read)).n - before.n).toBe(2)
  })
}, 180_000)
