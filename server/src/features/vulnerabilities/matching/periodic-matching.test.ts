import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { addTags } from '#features/assets/editing/tags.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { install, createAsset, createMatches, createSoftware, sync } from '../findings.fixture.ts'
import { createOverride } from '../overrides/overrides.ts'
import {
  recheckMissedMatches,
  recheckTagsAndLifecycles,
  enqueueOverdueTenants,
  enqueueRechecks,
} from './periodic-matching.ts'
import { processMatchingQueue, enqueueMatching } from './matching.ts'
import { listFindings } from '../vulnerabilities.ts'

const PAGE = { limit: 50, offset: 0 }

async function affected(ctx: Ctx): Promise<string> {
  await processMatchingQueue(ctx)
  const assetId = await createAsset(ctx)
  const software = await createSoftware(ctx)
  await createMatches(ctx, software, [{}])
  await install(ctx, assetId, [software])
  await sync(ctx, assetId)
  return assetId
}

test('what people tag later is reached by an override for the tag', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const assetId = await affected(ctx)
  await createOverride(ctx, { kind: 'accepted_risk', cveId: 'CVE-2024-0001', tag: 'lab', reason: 'r' })
  expect((await listFindings(ctx, PAGE)).total).toBe(1)
  await addTags(ctx, { assetIds: [assetId], tags: ['lab'] })
  await recheckTagsAndLifecycles(ctx)
  expect((await listFindings(ctx, PAGE)).total).toBe(0)
})

test('software that is installed later is reached by an override for it', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const assetId = await affected(ctx)
  const condition = 'any software(name = mitigator)'
  await createOverride(ctx, { kind: 'false_positive', cveId: 'CVE-2024-0001', condition, reason: 'r' })
  const software = await createSoftware(ctx, { name: 'mitigator' })
  await install(ctx, assetId, [software], 'rpm')
  await ctx.db.run(
    sql`update software set installs = 1 where tenant_id = ${ctx.tenantId} and id = ${software}`,
  )
  expect((await listFindings(ctx, PAGE)).total).toBe(1)
  await recheckTagsAndLifecycles(ctx)
  expect((await listFindings(ctx, PAGE)).total).toBe(0)
})

test('one job of each tenant rechecks', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  await affected(ctx)
  await enqueueRechecks(runtime.system)
  await enqueueRechecks(runtime.system)
  const jobs = await ctx.db.all(sql`
    select name from jobs where tenant_id = ${ctx.tenantId} and name = 'vulnerabilities.recheckTagsAndLifecycles'`)
  expect(jobs).toHaveLength(1)
})

test('a system that nobody maintains any more weighs heavier', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  const assetId = await affected(ctx)
  await ctx.db.run(sql`
    insert into software_systems (observation_id, tenant_id, os_id, version_id, codename, pretty_name, kernel, ecosystem,
      reported_at)
    select id, tenant_id, 'debian', '8', '', '', '', 'Debian:8', now() from asset_observations
    where asset_id = ${assetId}`)
  const lifecycle = {
    product: 'debian',
    label: 'Debian',
    identifiers: [],
    releases: [{ cycle: '8', label: '8', endsOn: '2018-06-17' }],
  }
  await runtime.system.db.run(
    sql`insert into lifecycles (product, body) values ('debian', ${JSON.stringify(lifecycle)}::json)`,
  )
  const { riskScore } = await getAsset(ctx, assetId)
  await recheckTagsAndLifecycles(ctx)
  expect((await getAsset(ctx, assetId)).riskScore).toBeCloseTo(riskScore * 1.1, 0)
})

test('what a dying process left behind is taken up again', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  await affected(ctx)
  await enqueueMatching(ctx, [await createAsset(ctx)])
  await ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId}`)
  await ctx.db.run(sql`update matching_due set marked_at = now() - interval '1 minute'`)
  await enqueueOverdueTenants(runtime.system)
  await recheckMissedMatches(runtime.system)
  const jobs = await ctx.db.all(
    sql<{ name: string }>`select name from jobs where tenant_id = ${ctx.tenantId}`,
  )
  expect(jobs.map(({ name }) => name)).toEqual(['vulnerabilities.match'])
})
