import { expect, test } from 'vitest'
import {
  createFindings,
  createSoftware,
  createMatches,
  createAsset,
  install,
  sync,
} from '#features/vulnerabilities/findings.fixture.ts'
import { createOverride, listFindings, listOverrides } from '#features/vulnerabilities/vulnerabilities.ts'
import { setOverridesNeedApproval } from '#features/vulnerabilities/overrides/overrides.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { NewBulkChange } from './bulk-change.ts'
import { bulkChangeAssets, getBulkChange, startBulkChange, undoBulkChange } from './bulk-changes.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

const app = sharedTestApp()
const PAGE = { limit: 50, offset: 0 }
const LOW = { where: 'severity = low', values: { reason: 'not worth it' } }

/** One asset with a critical finding and two low ones. */
async function scene() {
  const ctx = await app().newTenant()
  await createFindings(ctx, [
    { score: 9.8 },
    { cveId: 'CVE-2024-0002', score: 2 },
    { cveId: 'CVE-2024-0003', score: 2 },
  ])
  return ctx
}

/** Started by who is limited perhaps, worked on by a worker, who is not. */
async function done(ctx: Ctx, started: Promise<{ id: string }>) {
  const { id } = await started
  await workOnBulkChange(ctx, { changeId: id })
  return getBulkChange(ctx, id)
}

const change = (ctx: Ctx, input: NewBulkChange) => done(ctx, startBulkChange(ctx, input))
const openCves = async (ctx: Ctx) =>
  (await listFindings(ctx, PAGE)).items.map(({ cveId }) => cveId).toSorted()
const count = async (ctx: Ctx, where: string) => (await listFindings(ctx, PAGE, { where })).total

test.each([
  ['accept_risk', 'accepted'],
  ['mark_false_positive', 'false_positive'],
] as const)('%s of all that match closes these, and undoing opens them again', async (verb, status) => {
  const ctx = await scene()
  const made = await change(ctx, { verb, ...LOW })
  expect(made).toMatchObject({ status: 'completed', total: 2, done: 2, changed: 2 })
  expect(await openCves(ctx)).toEqual(['CVE-2024-0001'])
  expect(await count(ctx, `status = ${status}`)).toBe(2)
  const { items } = await listOverrides(ctx, PAGE, { states: ['active'] })
  expect(items.map(({ reason, findings }) => [reason, findings])).toEqual([
    ['not worth it', 1],
    ['not worth it', 1],
  ])
  expect(await done(ctx, undoBulkChange(ctx, made.id))).toMatchObject({ changed: 2 })
  expect(await openCves(ctx)).toHaveLength(3)
})

test('reopen ends the overrides of single findings, leaves wider ones, and is undone', async () => {
  const ctx = await scene()
  await createOverride(ctx, { kind: 'accepted_risk', cveId: 'CVE-2024-0002', reason: 'everywhere' })
  await change(ctx, { verb: 'accept_risk', ...LOW })
  const made = await change(ctx, { verb: 'reopen', where: 'status = accepted' })
  expect(made).toMatchObject({ status: 'completed', total: 2, changed: 1 })
  expect(await openCves(ctx)).toEqual(['CVE-2024-0001', 'CVE-2024-0003'])
  await done(ctx, undoBulkChange(ctx, made.id))
  expect(await openCves(ctx)).toEqual(['CVE-2024-0001'])
})

test('where a second person approves, they are proposed, and not twice', async () => {
  const ctx = await scene()
  await setOverridesNeedApproval(ctx, true)
  expect(await change(ctx, { verb: 'accept_risk', ...LOW })).toMatchObject({ changed: 2 })
  expect(await change(ctx, { verb: 'accept_risk', ...LOW })).toMatchObject({ changed: 0 })
  expect(await openCves(ctx)).toHaveLength(3)
  expect((await listOverrides(ctx, PAGE, { states: ['proposed'] })).total).toBe(2)
})

test('who is limited decides about findings of their assets alone', async () => {
  const ctx = await app().newTenant()
  const software = await createSoftware(ctx, { name: 'openssl', version: '3.0.1' })
  await createMatches(ctx, software, [{}])
  const [near, far] = [await createAsset(ctx), await createAsset(ctx)]
  for (const id of [near, far]) {
    await install(ctx, id, [software])
    await sync(ctx, id)
  }
  const limited = ctx.conditions.limit(ctx, `id in (${near})`)
  const values = { reason: 'mine' }
  const made = await done(
    ctx,
    startBulkChange(limited, { verb: 'accept_risk', where: 'has severity', values }),
  )
  expect(made).toMatchObject({ total: 1, changed: 1 })
  const left = (await listFindings(ctx, PAGE)).items
  expect(left).toMatchObject([{ assetId: far }])
  const findingIds = left.map(({ id }) => id)
  await expect(startBulkChange(limited, { verb: 'accept_risk', findingIds, values })).rejects.toMatchObject({
    status: 404,
  })
})

test.each<[Partial<NewBulkChange>, string]>([
  [{ values: {} }, 'reason'],
  [{ values: { reason: 'x', expiresAt: '2001-01-01T00:00:00Z' } }, 'expiresAt'],
  [{ where: undefined, assetIds: ['x'] }, 'assetIds'],
  [{ where: undefined }, 'where'],
  [{ where: 'colour = red' }, 'where'],
  [{ where: undefined, findingIds: ['x'] }, 'findingIds'],
])('%j is refused for its %s', async (given, field) => {
  const ctx = await app().newTenant()
  await expect(startBulkChange(ctx, { verb: 'accept_risk', ...LOW, ...given })).rejects.toThrow(
    new RegExp(`^${field}:`),
  )
})

test('a change of findings has no list of assets', async () => {
  const ctx = await scene()
  const { id } = await change(ctx, { verb: 'accept_risk', ...LOW })
  await expect(bulkChangeAssets(ctx, id, PAGE)).rejects.toMatchObject({ status: 409 })
})
