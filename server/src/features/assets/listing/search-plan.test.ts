import { sql } from 'kysely'
import { beforeAll, expect, inject, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seedTenant } from '../../../../bench/seed/seed.ts'
import { hostnameOf } from '../../../../bench/seed/seeded-assets.ts'
import { listAssets, listCandidates } from '../assets.ts'
import { countAssets } from './filter-and-sort.ts'

/** Beside them a tenth as many of another tenant, which have the same names. */
const SIZE = 6_000
const BOTH_HAVE = 7
const PAGE = { limit: 50, offset: 0 }

const home = sharedTestApp()
let large: Ctx
let small: Ctx

beforeAll(async () => {
  const { runtime, where } = home()
  const superuser = { ...inject('superuser'), database: String(where.database) }
  large = runtime.contextFor((await seedTenant(runtime, superuser, SIZE)).id)
  const neighbour = await runtime.system.db.one<{ id: string }>(
    sql`select id from tenants where slug = 'bench-neighbour'`,
  )
  small = runtime.contextFor(neighbour.id)
}, 180_000)

interface Reads {
  /** Of the table from its beginning. */
  readonly scans: number
  /** Texts that the index of what the API searches found, or that of what the app searches beside it. */
  readonly found: number
}

/** What some work reads of the texts that searches look at. */
async function readsOf(ctx: Ctx, work: (ctx: Ctx) => Promise<unknown>): Promise<Reads> {
  return ctx.db.transaction(async (db) => {
    const reads = sql<Reads>`select pg_stat_get_xact_numscans('asset_search'::regclass) as scans,
      pg_stat_get_xact_tuples_returned('asset_search_text'::regclass)
        + pg_stat_get_xact_tuples_returned('asset_search_attributes'::regclass) as found`
    const before = await db.one(reads)
    await work({ ...ctx, db })
    const after = await db.one(reads)
    return { scans: after.scans - before.scans, found: after.found - before.found }
  })
}

const byApi = (search: string, type?: string) => (ctx: Ctx) => listAssets(ctx, PAGE, { search, type })
const byApp = (search: string) => (ctx: Ctx) => countAssets(ctx, { search })

test.each([
  ['the API', byApi('corp')],
  ['the API, of a type', byApi('corp', 'device')],
])('what all texts hold is not looked up in the index: %s', async (_, work) => {
  expect(await readsOf(large, work)).toEqual({ scans: expect.any(Number) as number, found: 0 })
})

test.each([
  ['the API', byApi(hostnameOf(BOTH_HAVE))],
  ['the app', byApp(hostnameOf(BOTH_HAVE))],
])('who has most of the texts asks the index for the term alone, others for theirs: %s', async (_, work) => {
  expect(await readsOf(large, work)).toEqual({ scans: 0, found: 2 })
  expect(await readsOf(small, work)).toEqual({ scans: 0, found: 1 })
})

test.each([hostnameOf(BOTH_HAVE), 'corp', 'ber', 'r', 'nothing of this kind'])(
  'either finds what is its own: %s',
  async (search) => {
    for (const ctx of [large, small]) {
      const { total, items } = await listAssets(ctx, PAGE, { search })
      const plain = await ctx.db.one(sql<{ n: number }>`
        select count(*) as n from asset_search
        where tenant_id = ${ctx.tenantId} and strpos(text, ${search.replaceAll('-', 'Z').replaceAll('.', 'Q')}) > 0`)
      expect(total).toBe(plain.n)
      expect(await countAssets(ctx, { search })).toBeGreaterThanOrEqual(total)
      expect(items).toHaveLength(Math.min(PAGE.limit, total))
    }
  },
)

test('possible duplicates look up the assets of their pairs and no others', async () => {
  const { items } = await listAssets(large, { limit: 2, offset: 0 })
  const [a, b] = items.map(({ id }) => id).toSorted()
  await large.db.run(sql`
    insert into asset_merge_suggestions (tenant_id, asset_a, asset_b, reason, suggested_by, suggested_at)
    values (${large.tenantId}, ${a}, ${b}, '', 'somebody', now())`)
  const read = sql<{ n: number }>`
    select pg_stat_get_xact_tuples_returned('assets'::regclass)
      + sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint as n
    from pg_index where indrelid = 'assets'::regclass`
  await large.db.transaction(async (db) => {
    const before = await db.one(read)
    expect(await listCandidates({ ...large, db }, PAGE)).toMatchObject({ total: 1 })
    expect((await db.one(read)).n - before.n).toBe(2)
  })
})
