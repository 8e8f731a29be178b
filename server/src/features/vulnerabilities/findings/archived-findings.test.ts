import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveAsset, reviveAsset } from '#features/assets/archive/archive.ts'
import { noteStale } from '#features/assets/archive/stale.ts'
import { deleteAsset, getAsset } from '#features/assets/assets.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import {
  createAsset,
  createFindings,
  createMatches,
  createSoftware,
  install,
  sync,
} from '../findings.fixture.ts'
import { processMatchingQueue } from '../matching/matching.ts'
import { createOverride } from '../overrides/overrides.ts'
import { getFinding, listFindings } from '../vulnerabilities.ts'
import { findingsOverview, searchFindings } from './search.ts'

const shared = sharedTestApp()
const page = { limit: 50, offset: 0 }

/** What is counted beside what is there. */
async function counted(ctx: Ctx) {
  const counts = await ctx.db.all(sql`
    select status, severity, score, n from finding_counts
    where tenant_id = ${ctx.tenantId} and n <> 0 order by 1, 2, 3`)
  const there = await ctx.db.all(sql`
    select status, severity, score, count(*) as n from findings
    where tenant_id = ${ctx.tenantId} and not is_archived group by 1, 2, 3 order by 1, 2, 3`)
  const affected = await ctx.db.all(sql`
    select v.cve_id from vulnerabilities v where v.tenant_id = ${ctx.tenantId} and v.affected_assets <> (
      select count(*) from findings f
      where f.tenant_id = v.tenant_id and f.cve_id = v.cve_id and f.status = 'open' and not f.is_archived)`)
  expect(counts).toEqual(there)
  expect(affected).toEqual([])
  return counts
}

const totals = async (ctx: Ctx) => [
  (await listFindings(ctx, page)).total,
  (await listFindings(ctx, page)).items.length,
  (await listFindings(ctx, page, { where: 'cvss > 1' })).total,
  (await searchFindings(ctx, page, {})).total,
  (await searchFindings(ctx, page, { search: 'cve' })).total,
  (await findingsOverview(ctx)).topAssets.length,
]

test('findings of an archived asset leave lists, counts and risk, and come back with it', async () => {
  const ctx = await shared().newTenant()
  const kept = await createFindings(ctx, [{ cveId: 'CVE-2024-1001', score: 9.8 }])
  const gone = await createFindings(ctx, [
    { cveId: 'CVE-2024-1001', score: 9.8 },
    { cveId: 'CVE-2024-1002', score: 5 },
  ])
  expect(await totals(ctx)).toEqual([3, 3, 3, 3, 3, 2])

  await archiveAsset(ctx, gone)
  expect(await totals(ctx)).toEqual([1, 1, 1, 1, 1, 1])
  expect(await counted(ctx)).toEqual([{ status: 'open', severity: 'critical', score: 98, n: 1 }])
  expect((await listFindings(ctx, page, { where: 'asset.archived = yes' })).total).toBe(2)
  const { items } = await searchFindings(ctx, page, { assetId: gone })
  expect(items).toHaveLength(2)
  expect(await getFinding(ctx, items[0]?.id ?? '')).toMatchObject({ assetId: gone })
  expect((await listFindings(ctx, page)).items).toMatchObject([{ assetId: kept, affectedAssets: 1 }])

  await reviveAsset(ctx, gone)
  expect(await totals(ctx)).toEqual([3, 3, 3, 3, 3, 2])
  expect(await counted(ctx)).toHaveLength(2)
})

test('what is decided and found meanwhile is counted from the revival on, and found by matching then', async () => {
  const ctx = await shared().newTenant()
  const asset = await createFindings(ctx, [{ cveId: 'CVE-2024-2001' }])
  await archiveAsset(ctx, asset)
  const another = await createSoftware(ctx, { name: 'another' })
  await createMatches(ctx, another, [{ cveId: 'CVE-2024-2002' }])
  await install(ctx, asset, [another], 'rpm')
  await sync(ctx, asset)
  await createOverride(ctx, { kind: 'false_positive', cveId: 'CVE-2024-2001', reason: 'r' })
  expect(await counted(ctx)).toEqual([])

  await reviveAsset(ctx, asset)
  await processMatchingQueue(ctx)
  expect((await counted(ctx)).map((it) => (it as { status: string }).status)).toEqual([
    'false_positive',
    'open',
  ])
})

test('counts stay exact when an archived asset is merged away or deleted', async () => {
  const ctx = await shared().newTenant()
  const living = await createAsset(ctx)
  const merged = await createFindings(ctx, [{ cveId: 'CVE-2024-3001' }])
  await archiveAsset(ctx, merged)
  await mergeAssets(ctx, { assetIdA: living, assetIdB: merged, reason: 'same' })
  await processMatchingQueue(ctx)
  expect(await counted(ctx)).toHaveLength(1)
  const deleted = await createFindings(ctx, [{ cveId: 'CVE-2024-3002' }])
  await archiveAsset(ctx, deleted)
  await deleteAsset(ctx, deleted)
  expect(await counted(ctx)).toHaveLength(1)
})

test('findings of a stale asset stay in lists and leave the overview, until it is seen again', async () => {
  const ctx = await shared().newTenant()
  const fresh = await createFindings(ctx, [{ cveId: 'CVE-2024-1001', score: 9.8 }])
  const stale = await createFindings(ctx, [
    { cveId: 'CVE-2024-1001', score: 9.8 },
    { cveId: 'CVE-2024-1002', score: 5 },
  ])
  const open = async () => {
    const { counts, staleAssets, topAssets, topCves } = await findingsOverview(ctx)
    return {
      counts: counts.map(({ severity, count }) => [severity, count]),
      staleAssets,
      assets: topAssets.map(({ assetId }) => assetId).toSorted(),
      cves: topCves.map(({ cveId, affectedAssets }) => [cveId, affectedAssets]),
    }
  }
  const whole = await open()
  expect(whole).toMatchObject({ staleAssets: 0, assets: [fresh, stale].toSorted() })
  await ctx.db.run(sql`
    update assets set last_seen = ${new Date(Date.now() - 40 * 86_400_000)}
    where tenant_id = ${ctx.tenantId} and id = ${stale}`)
  await noteStale(ctx)
  expect(await open()).toEqual({
    counts: [['critical', 1]],
    staleAssets: 1,
    assets: [fresh],
    cves: [['CVE-2024-1001', 1]],
  })
  expect((await listFindings(ctx, page)).total).toBe(3)
  expect((await listFindings(ctx, page, { where: 'asset.stale = no' })).total).toBe(1)
  await counted(ctx)

  const { name } = await getAsset(ctx, stale)
  await createAsset(ctx, name)
  expect(await open()).toEqual(whole)
})
