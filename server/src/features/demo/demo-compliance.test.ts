import { beforeAll, expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import {
  allChecks,
  evaluateNow,
  listChecks,
  listControls,
  listExceptions,
} from '#features/compliance/compliance.ts'
import {
  enqueueMatching,
  listFindings,
  processMatchingQueue,
} from '#features/vulnerabilities/vulnerabilities.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createDemoData, loadSampleAdvisories } from './demo.ts'

const home = sharedTestApp()
/** Of the hundred. */
const WITH_EACH_ANSWER = 60

let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await loadSampleAdvisories(home().runtime.system)
  await createDemoData(ctx, { assets: 500, seed: 1 })
  const { items } = await listAssets(ctx, { limit: 500, offset: 0 })
  const ids = items.map(({ id }) => id)
  await atomically(ctx, (inner) => enqueueMatching(inner, ids))
  await processMatchingQueue(ctx)
  await evaluateNow(ctx)
}, 120_000)

test('sixty checks find assets of the demo estate in order, failing, and unknown', async () => {
  const checks = await listChecks(ctx, 'nist-csf-2.0')
  expect(checks.length).toBe((await allChecks(ctx)).length)
  const missing = checks.filter(({ ok, failed, unknown }) => ok === 0 || failed === 0 || unknown === 0)
  const names = missing.map(({ id }) => id).join(', ')
  expect(checks.length - missing.length, `without: ${names}`).toBeGreaterThanOrEqual(WITH_EACH_ANSWER)
})

test('an exception is in force, and controls that no inventory sees are attested', async () => {
  expect((await listExceptions(ctx, { limit: 10, offset: 0 })).items).toMatchObject([
    { checkId: 'no-vnc', state: 'active' },
  ])
  const controls = await listControls(ctx, 'nist-csf-2.0')
  const statuses = new Map(controls.map(({ id, status }) => [id, status]))
  expect(statuses.get('GV.PO-01')).toBe('pass')
  expect(statuses.get('PR.AT-01')).toBe('warning')
})

test('findings are as old as the first report of their software', async () => {
  const { total } = await listFindings(ctx, { limit: 1, offset: 0 }, { where: 'found_at < -365d' })
  expect(total).toBeGreaterThan(0)
  const today = await listFindings(ctx, { limit: 1, offset: 0 }, { where: 'found_at > -1d' })
  expect(today.total).toBeGreaterThan(0)
})
