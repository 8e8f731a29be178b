import { beforeAll, expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createFindings, findingOf } from '../findings.fixture.ts'
import { findingGroups } from '../findings/groups.ts'
import { findingsOverview, searchFindings } from '../findings/search.ts'
import { listFindings } from '../vulnerabilities.ts'

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }
let ctx: Ctx
let critical: string
let exploited: string
beforeAll(async () => {
  ctx = await home().newTenant()
  critical = await createFindings(ctx, [{ cveId: 'CVE-2024-0001', score: 9.8, epss: 0.9 }])
  exploited = await createFindings(ctx, [
    { cveId: 'CVE-2024-0002', score: 5, kev: '2026-01-01' },
    { cveId: 'CVE-2024-0003', score: 4 },
  ])
  await submit(ctx, { kind: 'csv', name: 'machines' }, [
    {
      sourceKey: 'desk',
      seenAt: ctx.now(),
      name: 'desk',
      os: 'Windows 11 Pro',
      identifiers: [{ type: 'serial', value: 'DESK-4711' }],
      software: {
        complete: ['windows'],
        items: [
          { origin: 'windows', name: 'Mozilla  FIREFOX', version: '115.3' },
          { origin: 'windows', name: 'Café', version: '120.0.1' },
        ],
      },
    },
  ])
})

const names = async (where: string) =>
  (await listAssets(ctx, page, { where })).items
    .map(({ id, name }) => (id === critical ? 'critical' : id === exploited ? 'exploited' : name))
    .toSorted()

test.each([
  ['any finding(severity=critical)', ['critical']],
  ['any finding(cve = cve-2024-0002)', ['exploited']],
  ['any finding(kev = yes)', ['exploited']],
  ['any finding(epss > 0.5 and cvss >= 9)', ['critical']],
  ['any finding(status = resolved)', []],
  ['count finding(cvss > 0) >= 2', ['exploited']],
  ['open_findings = 2', ['exploited']],
  ['criticality = normal and has open_findings and not os:windows', []],
  ['any software(name = "mozilla firefox" and version < 120)', ['desk']],
  ['any software(name = "mozilla firefox" and version >= 120)', []],
  ['any software(name = café and version > 9)', ['desk']],
  ['any software(not version < 120)', ['desk']],
  ['no software(name = openssh)', ['critical', 'desk', 'exploited']],
  ['no software(name : firefox)', ['critical', 'exploited']],
  ['count software(version > 0) = 2', ['desk']],
  ['not any finding(severity = critical)', ['exploited']],
  ['no finding(severity = critical)', ['exploited']],
])('assets where %s', async (where, expected) => {
  expect(await names(where)).toEqual(expected)
})

test('unknown is left out: what was never assessed has neither findings nor none', async () => {
  expect(await names('any finding(cvss > 0) or no finding(cvss > 0)')).toEqual(['critical', 'exploited'])
  await ctx.db.run(sql`insert into matching_cursors (tenant_id, changes_seen, matched_at)
    values (${ctx.tenantId}, 0, ${ctx.now()}) on conflict do nothing`)
  expect(await names('no finding(cvss > 0)')).toEqual(['desk'])
})

test.each([
  ['severity = critical', ['CVE-2024-0001']],
  ['cve in (cve-2024-0002, CVE-2024-0001)', ['CVE-2024-0001', 'CVE-2024-0002']],
  ['cvss < 9 kev = no', ['CVE-2024-0003']],
  ['asset.type = device and asset.last_seen > -1d', ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']],
  ['status = resolved', []],
  ['status != resolved and found > -1h and product:lib', ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']],
  ['0003', ['CVE-2024-0003']],
  ['has fixed_version and not fixed_version = none', ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']],
  ['any finding(kev = yes)', ['CVE-2024-0002', 'CVE-2024-0003']],
])('findings where %s', async (where, expected) => {
  const { items, total } = await listFindings(ctx, page, { where })
  expect(items.map(({ cveId }) => cveId).toSorted()).toEqual(expected)
  expect(total).toBe(expected.length)
})

test('what nobody asked about the status is open, unless `isFixed` says otherwise', async () => {
  const id = await findingOf(ctx, critical)
  await ctx.db.run(
    sql`update findings set status = 'accepted' where tenant_id = ${ctx.tenantId} and id = ${id}`,
  )
  const found = async (where: string, isFixed?: boolean) =>
    (await listFindings(ctx, page, { where, isFixed })).total
  expect(await found('severity = critical')).toBe(0)
  expect(await found('severity = critical status = accepted')).toBe(1)
  expect(await found('severity = critical status = accepted', false)).toBe(0)
  await ctx.db.run(sql`update findings set status = 'open' where tenant_id = ${ctx.tenantId} and id = ${id}`)
})

test('conditions on assets ask about findings only for who may read them', async () => {
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'assets:read' } }
  await expect(listAssets(reader, page, { where: 'any finding(cvss > 0)' })).rejects.toThrow(
    'where: expected one of: certificate, neighbour, software',
  )
  await expect(listAssets(reader, page, { where: 'criticality = high' })).rejects.toThrow(
    'there is no field criticality',
  )
  const other = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'vulnerabilities:read' } }
  await expect(listFindings(other, page, { where: 'asset.os:windows' })).rejects.toThrow(
    'there is no field asset.os',
  )
  expect((await listFindings(other, page, { where: 'cvss > 0' })).total).toBe(3)
})

test.each([
  ['cve', '', ['CVE-2024-0001 1', 'CVE-2024-0002 1', 'CVE-2024-0003 1']],
  ['severity', 'cvss < 9', ['medium 1']],
  ['asset.device_type', '', ['unknown 2']],
  ['kev', 'status = resolved', []],
])('findings by %s where %j', async (by, where, expected) => {
  const { items } = await findingGroups(ctx, page, { by, where })
  expect(items.map((it) => `${it.value} ${it.assets}`).toSorted()).toEqual(expected)
})

test('groups begin with the most risk, and their shares are the whole of it', async () => {
  const { items } = await findingGroups(ctx, page, { by: 'cve', where: '' })
  const shares = items.map((it) => it.riskShare)
  expect(shares).toEqual(shares.toSorted((a, b) => b - a))
  expect(shares.reduce((sum, it) => sum + it, 0)).toBeCloseTo(1, 9)
  expect(shares.at(-1)).toBeGreaterThan(0)
})

test('the findings of a fix are those of its software that have one', async () => {
  const { items } = await findingGroups(ctx, page, { by: 'fix', where: '' })
  expect(items.length).toBeGreaterThan(0)
  for (const { value, findings } of items) {
    const [software] = (value ?? '').split(' → ')
    const where = `product = "${software}" and fixable = yes`
    expect((await listFindings(ctx, page, { where })).total).toBe(findings)
  }
})

test('one update to the highest version closes what lower ones fix as well', async () => {
  const own = await home().newTenant()
  await createFindings(own, [
    { cveId: 'CVE-2024-2001' },
    { cveId: 'CVE-2024-2002' },
    { cveId: 'CVE-2024-2003' },
  ])
  const fixedBy = (cveId: string, version: string) =>
    own.db.run(sql`
      update findings set software = 'windows 10.0.22631.3447', fixed_version = ${version}
      where tenant_id = ${own.tenantId} and cve_id = ${cveId}`)
  await fixedBy('CVE-2024-2001', '10.0.22631.4317')
  await fixedBy('CVE-2024-2002', '10.0.22631.880')
  await fixedBy('CVE-2024-2003', '')
  const { items, total } = await findingGroups(own, page, { by: 'fix', where: '' })
  expect(items).toMatchObject([
    { value: 'windows 10.0.22631.3447 → 10.0.22631.4317', findings: 2 },
    { value: null, findings: 1 },
  ])
  expect(total).toBe(2)
})

test('exploited means a KEV catalogue or SSVC everywhere, the field kev the catalogue alone; what has no fix comes last', async () => {
  const own = await home().newTenant()
  const ssvc = { exploitation: 'active', isAutomatable: false, impact: 'partial' } as const
  await createFindings(own, [
    { cveId: 'CVE-2024-1001', score: 9.8 },
    { cveId: 'CVE-2024-1002', score: 3, ssvc },
    { cveId: 'CVE-2024-1003', score: 5, kev: '2026-01-01' },
  ])
  await own.db.run(sql`
    update findings set fixed_version = '' where tenant_id = ${own.tenantId} and cve_id <> 'CVE-2024-1002'`)
  const exploitedOnes = await searchFindings(own, page, { isExploited: true })
  expect(exploitedOnes.items.map(({ cveId }) => cveId)).toEqual(['CVE-2024-1003', 'CVE-2024-1002'])
  const listed = async (where: string) =>
    (await listFindings(own, page, { where })).items.map(({ cveId }) => cveId).toSorted()
  expect(await listed('exploited = yes')).toEqual(['CVE-2024-1002', 'CVE-2024-1003'])
  expect(await listed('exploited = no')).toEqual(['CVE-2024-1001'])
  expect(await listed('kev = yes')).toEqual(['CVE-2024-1003'])
  const { topCves } = await findingsOverview(own)
  expect(topCves.map(({ cveId }) => cveId.slice(-1))).toEqual(['3', '2', '1'])
  const { items } = await findingGroups(own, page, { by: 'fix', where: '' })
  expect(items).toMatchObject([
    { findings: 1, assets: 1, isExploited: true },
    { value: null, findings: 2, assets: 1, maxCvss: 9.8, isExploited: true },
  ])
  expect(items[1]?.riskShare).toBeGreaterThan(items[0]?.riskShare ?? 1)
})

test.each([
  ['asset.type', 'by: asset.type has several values each'],
  ['nothing', 'by: there is no field nothing'],
])('findings by %s are refused', async (by, message) => {
  await expect(findingGroups(ctx, page, { by, where: '' })).rejects.toThrow(message)
})
