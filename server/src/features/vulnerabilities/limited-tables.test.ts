import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seenWithinLimit } from '#test/support/seen-within-limit.ts'
import { createAsset, createMatches, createSoftware, install, sync } from './findings.fixture.ts'
import { createOverride, listOverrides } from './overrides/overrides.ts'
import { listFindings } from './vulnerabilities.ts'

const home = sharedTestApp()
const ALL = { limit: 50, offset: 0 }
let ctx: Ctx
let limited: Ctx
let near: string
let far: string

/** CVE-1 is on an asset that is seen and on one that is not, CVE-2 on the latter alone. */
beforeAll(async () => {
  ctx = await home().newTenant()
  limited = ctx.conditions.limit(ctx, 'tag = near')
  near = await createAsset(ctx, 'near', ['near'])
  far = await createAsset(ctx, 'far')
  const [shared, other] = [await createSoftware(ctx), await createSoftware(ctx, { name: 'curl' })]
  await createMatches(ctx, shared, [{ cveId: 'CVE-2024-0001', score: 9.8 }])
  await createMatches(ctx, other, [{ cveId: 'CVE-2024-0002', score: 5 }])
  await install(ctx, near, [shared])
  await install(ctx, far, [shared, other])
  for (const id of [near, far]) await sync(ctx, id)
})

test('of findings and what belongs to them, those of visible assets are seen', async () => {
  const tables = [
    'findings',
    'finding_attributions',
    'finding_history',
    'vulnerabilities',
    'software_matches',
  ]
  expect(await seenWithinLimit(ctx, tables)).toEqual({
    findings: '1 of 3',
    finding_attributions: '1 of 3',
    finding_history: '1 of 3',
    vulnerabilities: '1 of 2',
    software_matches: '1 of 2',
  })
  expect((await listFindings(limited, ALL)).items.map(({ assetId }) => assetId)).toEqual([near])
})

test('counts are of visible assets alone', async () => {
  const counts = (who: Ctx) =>
    who.db.all(sql<{ severity: string; n: number }>`
      select severity, sum(n)::int as n from finding_counts
      where tenant_id = ${who.tenantId} and status = 'open' group by severity order by severity`)
  expect(await counts(limited)).toEqual([{ severity: 'critical', n: 1 }])
  expect(await counts(ctx)).toEqual([
    { severity: 'critical', n: 2 },
    { severity: 'medium', n: 1 },
  ])
  const affected = (who: Ctx) =>
    who.db.all(sql`
      select cve_id as cve, affected_assets as assets from vulnerabilities
      where tenant_id = ${who.tenantId} order by cve_id`)
  expect(await affected(limited)).toEqual([{ cve: 'CVE-2024-0001', assets: 1 }])
  expect(await affected(ctx)).toEqual([
    { cve: 'CVE-2024-0001', assets: 2 },
    { cve: 'CVE-2024-0002', assets: 1 },
  ])
})

test('of overrides those are seen that a visible finding has, or that are about all of a flaw that it has', async () => {
  const { items } = await listFindings(ctx, ALL)
  const of = (asset: string) =>
    items.find(({ assetId, cveId }) => assetId === asset && cveId === 'CVE-2024-0001')?.id
  const scopes = [
    { cveId: 'CVE-2024-0001', findingId: of(near), reason: 'of a visible finding' },
    { cveId: 'CVE-2024-0001', findingId: of(far), reason: 'of another' },
    { cveId: 'CVE-2024-0001', reason: 'of a visible flaw' },
    { cveId: 'CVE-2024-0002', reason: 'of another flaw' },
    { cveId: 'CVE-2024-0001', tag: 'elsewhere', reason: 'of a tag' },
  ]
  for (const scope of scopes) await createOverride(ctx, { kind: 'accepted_risk', ...scope })
  const reasons = async (who: Ctx) =>
    (await listOverrides(who, ALL, {})).items.map(({ reason }) => reason).toSorted()
  expect(await reasons(ctx)).toHaveLength(scopes.length)
  expect(await reasons(limited)).toEqual(['of a visible finding', 'of a visible flaw'])
})
