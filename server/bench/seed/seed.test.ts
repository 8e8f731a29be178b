import { sql } from 'kysely'
import { beforeAll, expect, inject, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seedTenant } from './seed.ts'
import { hostnameOf, ipOf, observationOf, serialOf, SOURCE } from './seeded-assets.ts'

const SIZE = 60
const numbers = Array.from({ length: SIZE }, (_, n) => n)

const ourApp = sharedTestApp()
let seeded: Ctx
let ingested: Ctx

beforeAll(async () => {
  const { runtime, where, newTenant } = ourApp()
  const tenant = await seedTenant(runtime, { ...inject('superuser'), database: String(where.database) }, SIZE)
  seeded = runtime.contextFor(tenant.id)
  ingested = await newTenant()
  await submit(
    ingested,
    SOURCE,
    numbers.map((n) => observationOf(n)),
  )
})

/** What a client sees, but for the ids. */
async function list(ctx: Ctx, filter: { type?: string; search?: string }): Promise<unknown> {
  const { items, total } = await listAssets(ctx, { limit: 1_000, offset: 0 }, filter)
  return { total, items: items.map((asset) => ({ ...asset, id: 'id' })) }
}

test.each([
  {},
  { type: 'device' },
  { type: 'user' },
  { search: hostnameOf(7) },
  { search: ipOf(7) },
  { search: serialOf(7) },
  { search: 'corp' },
  { search: '-ber-' },
])('a seeded estate looks like one that came through the intake: %j', async (filter) => {
  expect(await list(seeded, filter)).toEqual(await list(ingested, filter))
})

/** The search text begins with the asset's id, and has Z for a dash. */
const UUID = '[0-9a-f]{8}([-Z][0-9a-f]{4}){3}[-Z][0-9a-f]{12}'
const IDS = ['id', 'tenant_id', 'asset_id', 'observation_id', 'source_id']

test.each([
  'assets',
  'asset_counts',
  'asset_search',
  'asset_observations',
  'asset_observation_counts',
  'asset_identifiers',
])('%s holds the rows that the intake would have written, but for ids', async (table) => {
  const rows = (ctx: Ctx) =>
    ctx.db.all(sql`
        select regexp_replace((to_jsonb(t) - ${IDS}::text[])::text, ${UUID}, 'id', 'g') as row
        from ${sql.table(table)} t where t.tenant_id = ${ctx.tenantId} order by row`)
  const expected = await rows(ingested)
  expect(expected).not.toEqual([])
  expect(await rows(seeded)).toEqual(expected)
})

test('the intake knows seeded things again', async () => {
  const now = Date.now()
  const again = numbers.map((n) => observationOf(n, new Date(now - n)))
  for (const ctx of [seeded, ingested]) {
    expect(await submit(ctx, SOURCE, again)).toMatchObject({ created: 0, updated: 0, unchanged: SIZE })
  }
})

test('another source sees seeded things as the same', async () => {
  const other = { kind: 'ssh', name: 'another' }
  const seen = numbers.map((n) => ({ ...observationOf(n), sourceKey: `host-${n}`, os: 'Debian 13' }))
  for (const ctx of [seeded, ingested]) {
    expect(await submit(ctx, other, seen)).toMatchObject({ observed: SIZE, created: 0 })
  }
  expect(await list(seeded, {})).toEqual(await list(ingested, {}))
})
