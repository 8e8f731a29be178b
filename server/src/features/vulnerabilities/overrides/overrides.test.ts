import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp, sharedTestApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { getFindingDetail } from '../findings/search.ts'
import { endExpired, enqueueExpired } from './override-expiry.ts'
import {
  findingOf,
  install,
  createAsset,
  createFindings,
  createMatches,
  createSoftware,
  sync,
} from '../findings.fixture.ts'
import { exportVex } from '../vex/vex.ts'
import { checkDecision } from './bulk-overrides.ts'
import type { NewOverride } from './override.ts'
import {
  approveOverride,
  createOverride,
  endOverride,
  listOverrides,
  previewOverride,
  reapplyOverridesByAsset,
  setOverridesNeedApproval,
} from './overrides.ts'
import { listFindings } from '../vulnerabilities.ts'

const home = sharedTestApp()
const PAGE = { limit: 50, offset: 0 }
const CVE = 'CVE-2024-0001'
const accepted: NewOverride = { kind: 'accepted_risk', cveId: CVE, reason: 'behind a proxy' }
const open = async (ctx: Ctx) => (await listFindings(ctx, PAGE)).items
const person = (ctx: Ctx, id: string): Ctx => ({
  ...ctx,
  actor: { ...ctx.actor, kind: 'user', id, name: `${id}@x` },
})

test('an accepted risk is not open, weighs nothing, and is open again when it ends', async () => {
  const ctx = await home().newTenant()
  const assetId = await createFindings(ctx)
  const before = await getAsset(ctx, assetId)
  expect(before.riskScore).toBeGreaterThan(0)
  const override = await createOverride(ctx, accepted)
  expect(override).toMatchObject({ state: 'active', findings: 1, reason: 'behind a proxy' })
  expect(await open(ctx)).toEqual([])
  expect((await listFindings(ctx, PAGE, { isFixed: true })).total).toBe(0)
  expect((await getAsset(ctx, assetId)).riskScore).toBe(0)
  const id = await findingOf(ctx, assetId)
  expect(await getFindingDetail(ctx, id)).toMatchObject({
    status: 'accepted',
    affectedAssets: 0,
    history: [
      { status: 'accepted', why: 'accepted_risk: behind a proxy' },
      { status: 'open', why: 'found' },
    ],
  })
  await endOverride(ctx, override.id, 'the proxy is gone')
  expect(await open(ctx)).toMatchObject([{ id, affectedAssets: 1 }])
  expect((await getAsset(ctx, assetId)).riskScore).toBe(before.riskScore)
  await expect(endOverride(ctx, override.id, 'again')).rejects.toThrow('has ended already')
})

test('it is carried over to the next version, and covers what is found later', async () => {
  const ctx = await home().newTenant()
  const assetId = await createAsset(ctx)
  const old = await createSoftware(ctx, { name: 'openssl', version: '3.0.1' })
  const next = await createSoftware(ctx, { name: 'openssl', version: '3.0.2' })
  const other = await createSoftware(ctx, { name: 'boringssl', version: '3.0.2' })
  for (const id of [old, next, other]) await createMatches(ctx, id, [{}])
  await install(ctx, assetId, [old])
  await sync(ctx, assetId)
  await createOverride(ctx, { ...accepted, package: 'openssl' })
  await install(ctx, assetId, [next])
  await sync(ctx, assetId)
  expect(await open(ctx)).toEqual([])
  const second = await createAsset(ctx)
  await install(ctx, second, [next])
  await sync(ctx, second)
  expect(await open(ctx)).toEqual([])
  const third = await createAsset(ctx)
  await install(ctx, third, [other])
  await sync(ctx, third)
  expect(await open(ctx)).toMatchObject([{ assetId: third }])
})

test('the scope may be a version, a tag or one finding, and the narrowest decides', async () => {
  const ctx = await home().newTenant()
  const [plain, tagged] = [await createAsset(ctx), await createAsset(ctx, 'tagged', ['lab'])]
  const software = await createSoftware(ctx, { name: 'openssl', version: '3.0.1' })
  await createMatches(ctx, software, [{}])
  for (const id of [plain, tagged]) {
    await install(ctx, id, [software])
    await sync(ctx, id)
  }
  const scope = { cveId: CVE, tag: 'lab' }
  expect(await previewOverride(ctx, PAGE, scope)).toMatchObject({ total: 1, items: [{ assetId: tagged }] })
  expect(
    await previewOverride(ctx, PAGE, { cveId: CVE, package: 'openssl', version: '3.0.2' }),
  ).toMatchObject({ total: 0 })
  await createOverride(ctx, { ...accepted, tag: 'lab' })
  expect(await open(ctx)).toMatchObject([{ assetId: plain }])
  await createOverride(ctx, {
    ...accepted,
    kind: 'severity',
    severity: 'low',
    findingId: await findingOf(ctx, plain),
  })
  await createOverride(ctx, { ...accepted, kind: 'severity', severity: 'critical', cvssScore: 9.9 })
  expect(await open(ctx)).toMatchObject([{ severity: 'low', cvssScore: 2.5 }])
})

test('the scope may be a condition, which the dry run, the override and what is found later follow', async () => {
  const ctx = await home().newTenant()
  const software = await createSoftware(ctx, { name: 'openssl', version: '3.0.1' })
  await createMatches(ctx, software, [{}])
  const has = async (name: string, tags: string[] = []) => {
    const assetId = await createAsset(ctx, name, tags)
    await install(ctx, assetId, [software])
    await sync(ctx, assetId)
    return assetId
  }
  const [one, two] = [await has('one', ['lab', 'oslo']), await has('two', ['lab'])]
  const condition = 'tag = lab and not tag = oslo'
  expect(await previewOverride(ctx, PAGE, { cveId: CVE, condition })).toMatchObject({
    total: 1,
    items: [{ assetId: two }],
  })
  const { id, ...made } = await createOverride(ctx, { ...accepted, condition })
  expect(made).toMatchObject({ state: 'active', condition, findings: 1 })
  expect(await open(ctx)).toMatchObject([{ assetId: one }])
  await has('three', ['lab'])
  expect(await open(ctx)).toMatchObject([{ assetId: one }])
  const product = { '@id': `urn:rollcall:condition:${encodeURIComponent(condition)}` }
  expect(await exportVex(ctx)).toMatchObject({ statements: [{ products: [product] }] })
  await ctx.db.run(
    sql`update assets set tags = '{lab}', normalized_tags = '{lab}' where tenant_id = ${ctx.tenantId} and id = ${one}`,
  )
  await reapplyOverridesByAsset(ctx)
  expect(await open(ctx)).toEqual([])
  await endOverride(ctx, id, 'patched')
  expect(await open(ctx)).toHaveLength(3)
})

test('a condition that can no longer be read applies to nothing', async () => {
  const ctx = await home().newTenant()
  await createFindings(ctx)
  await createOverride(ctx, { ...accepted, condition: 'has id' })
  expect(await open(ctx)).toEqual([])
  await ctx.db.run(
    sql`update finding_overrides set condition = 'custom.gone = 1' where tenant_id = ${ctx.tenantId}`,
  )
  await reapplyOverridesByAsset(ctx)
  expect(await open(ctx)).toHaveLength(1)
})

test('where it is asked for, a second person approves', async () => {
  const ctx = await home().newTenant()
  await createFindings(ctx)
  const [ann, bob] = [person(ctx, 'ann'), person(ctx, 'bob')]
  await setOverridesNeedApproval(ctx, true)
  const { id, state } = await createOverride(ann, accepted)
  expect(state).toBe('proposed')
  expect(await open(ctx)).toHaveLength(1)
  await expect(approveOverride(ann, id)).rejects.toThrow('a second person')
  expect(await approveOverride(bob, id)).toMatchObject({
    state: 'active',
    approvedByName: 'bob@x',
    findings: 1,
  })
  expect(await open(ctx)).toEqual([])
  await expect(approveOverride(bob, id)).rejects.toThrow('only a proposed one')
})

test('while it waits it is listed with the findings that it would change, and approving changes as many', async () => {
  const ctx = await home().newTenant()
  const [ann, bob] = [person(ctx, 'ann'), person(ctx, 'bob')]
  const openssl = await createSoftware(ctx, { name: 'openssl', version: '3.0.1' })
  const boringssl = await createSoftware(ctx, { name: 'boringssl', version: '3.0.1' })
  for (const id of [openssl, boringssl]) await createMatches(ctx, id, [{}])
  const has = async (name: string, software: number, tags: string[] = []) => {
    const assetId = await createAsset(ctx, name, tags)
    await install(ctx, assetId, [software])
    await sync(ctx, assetId)
    return assetId
  }
  await has('one', openssl, ['lab'])
  await has('two', openssl)
  const three = await has('three', boringssl)
  await setOverridesNeedApproval(ctx, true)
  const scopes: readonly (readonly [Partial<NewOverride>, number])[] = [
    [{ findingId: await findingOf(ctx, three) }, 1],
    [{ tag: 'lab' }, 1],
    [{ condition: 'name = one or name = two' }, 2],
    [{ condition: 'name = one', package: 'openssl' }, 1],
    [{ package: 'openssl' }, 2],
    [{ package: 'openssl', version: '3.0.1' }, 2],
    [{ package: 'openssl', version: '9' }, 0],
    [{ cveId: 'CVE-1999-9999' }, 0],
    [{}, 3],
  ]
  for (const [scope, findings] of scopes)
    expect(await createOverride(ann, { ...accepted, ...scope })).toMatchObject({
      state: 'proposed',
      findings,
    })
  const current = await listOverrides(bob, PAGE, { states: ['active', 'proposed'] })
  expect(current.items.map(({ findings }) => findings)).toEqual(scopes.map(([, n]) => n).toReversed())
  const whole = current.items[0]
  expect(await approveOverride(bob, whole?.id ?? '')).toMatchObject({ state: 'active', findings: 3 })
  expect((await listOverrides(bob, PAGE, { states: ['proposed'] })).items).toMatchObject(
    scopes.slice(0, -1).map(() => ({ findings: 0 })),
  )
  expect((await listOverrides(bob, PAGE, { states: [] })).total).toBe(scopes.length)
})

test('it ends by itself', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  await createFindings(ctx)
  const expiresAt = new Date(ctx.now().getTime() + 60_000).toISOString()
  await createOverride(ctx, { ...accepted, expiresAt })
  const jobs = () =>
    ctx.db.all(sql`
      select name from jobs where tenant_id = ${ctx.tenantId} and name = 'vulnerabilities.endExpired'`)
  await enqueueExpired(runtime.system)
  expect(await jobs()).toEqual([])
  await endExpired(ctx)
  expect(await open(ctx)).toEqual([])
  const now = () => new Date(Date.parse(expiresAt) + 60_000)
  await enqueueExpired({ ...runtime.system, now })
  await enqueueExpired({ ...runtime.system, now })
  expect(await jobs()).toHaveLength(1)
  await endExpired({ ...ctx, now })
  expect(await open(ctx)).toHaveLength(1)
  expect((await listOverrides(ctx, PAGE, { states: ['ended'] })).items).toMatchObject([
    { endedBecause: 'its time is up' },
  ])
})

test.each([
  [{ ...accepted, reason: ' ' }, 'reason'],
  [{ ...accepted, cveId: '' }, 'cveId'],
  [{ ...accepted, kind: 'severity' as const }, 'severity'],
  [{ ...accepted, severity: 'low' as const }, 'severity'],
  [{ ...accepted, kind: 'severity' as const, severity: 'low' as const, cvssScore: 11 }, 'cvssScore'],
  [{ ...accepted, kind: 'severity' as const, severity: 'low' as const, cvssScore: 9.9 }, 'cvssScore'],
  [{ ...accepted, expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
  [{ ...accepted, version: '1' }, 'version'],
  [{ ...accepted, tag: '' }, 'tag'],
  [{ ...accepted, condition: '' }, 'condition'],
  [{ ...accepted, condition: 'sight = Oslo' }, 'condition'],
  [{ ...accepted, condition: 'tag = lab and risk > 5' }, 'condition'],
  [{ ...accepted, condition: 'not any finding(severity = high)' }, 'condition'],
])('%j is refused for its %s', async (input, field) => {
  const ctx = await home().newTenant()
  await expect(createOverride(ctx, input)).rejects.toThrow(new RegExp(`^${field}:`))
})

test('the counts are what counting would give', async () => {
  const ctx = await home().newTenant()
  const assets = await Promise.all(
    [1, 2, 3].map(() => createFindings(ctx, [{ score: 9.8 }, { cveId: 'CVE-2024-0002', score: 5 }])),
  )
  await createOverride(ctx, { ...accepted, findingId: await findingIn(ctx, assets[0] ?? '') })
  await createOverride(ctx, { ...accepted, kind: 'severity', severity: 'low', cveId: 'CVE-2024-0002' })
  const counted = await ctx.db.all(sql`
    select status, severity, score, n from finding_counts where tenant_id = ${ctx.tenantId} and n <> 0 order by 1, 2, 3`)
  expect(counted).toEqual(
    await ctx.db.all(sql`
      select status, severity, score, count(*) as n from findings where tenant_id = ${ctx.tenantId}
      group by 1, 2, 3 order by 1, 2, 3`),
  )
})

const findingIn = async (ctx: Ctx, assetId: string) =>
  (
    await ctx.db.one(
      sql<{ id: string }>`select id from findings where asset_id = ${assetId} and cve_id = ${CVE}`,
    )
  ).id

test.each<[string, number, (ctx: Ctx, text: string) => unknown]>([
  ['reason', 2_000, (ctx, reason) => createOverride(ctx, { ...accepted, reason })],
  ['cveId', 100, (ctx, cveId) => createOverride(ctx, { ...accepted, cveId })],
  ['package', 512, (ctx, name) => createOverride(ctx, { ...accepted, package: name })],
  ['version', 512, (ctx, version) => createOverride(ctx, { ...accepted, package: 'lib', version })],
  ['tag', 512, (ctx, tag) => createOverride(ctx, { ...accepted, tag })],
  ['reason', 2_000, async (ctx, why) => endOverride(ctx, (await createOverride(ctx, accepted)).id, why)],
  ['reason', 2_000, (ctx, reason) => checkDecision(ctx, { reason })],
])('%s has up to %i characters', async (field, most, write) => {
  const ctx = await home().newTenant()
  expect(await refusedBeyond(most, (size) => write(ctx, 'x'.repeat(size)))).toBe(field)
})
