import { beforeAll, expect, test } from 'vitest'
import { allChecks, evaluateNow, listChecks } from '#features/compliance/compliance.ts'
import { matchCatalogueChanges, processMatchingQueue } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createDemoData, loadSampleAdvisories } from './demo.ts'

const home = sharedTestApp()
/** Of the hundred. */
const WITH_EACH_ANSWER = 42

let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await loadSampleAdvisories(home().runtime.system)
  await createDemoData(ctx, { assets: 500, seed: 1 })
  await matchCatalogueChanges(ctx)
  await processMatchingQueue(ctx)
  await evaluateNow(ctx)
}, 120_000)

test('checks find assets of the demo estate in order, failing, and unknown', async () => {
  const checks = await listChecks(ctx, 'nist-csf-2.0')
  expect(checks.length).toBe((await allChecks(ctx)).length)
  const missing = checks.filter(({ ok, failed, unknown }) => ok === 0 || failed === 0 || unknown === 0)
  expect(checks.length - missing.length).toBeGreaterThanOrEqual(WITH_EACH_ANSWER)
})
