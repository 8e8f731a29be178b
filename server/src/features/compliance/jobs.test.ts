import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listCheckpoints } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { adoptFramework } from './compliance.ts'
import { judgedScene } from './compliance.fixture.ts'
import { markDue, nextDue, removeAllDue, removeDue } from './evaluation/due-store.ts'
import { groupChecks, type CheckGroup } from './evaluation/check-group-store.ts'
import { allChecks } from './checks/all-checks.ts'
import { listEvidence } from './evidence/evidence.ts'
import { every, jobs } from './jobs.ts'

const ID = '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21'
const jobsOf = async (ctx: Ctx) =>
  (
    await ctx.db.all(sql<{ name: string }>`
      select name from jobs where tenant_id = ${ctx.tenantId} and name like 'compliance.%' order by name`)
  ).map(({ name }) => name)

test('what is periodic asks for a round of tenants with a framework, records evidence, and signs the log', async () => {
  const app = await testApp()
  const [ctx, without] = [await app.newTenant(), await app.newTenant()]
  const { checkId } = await judgedScene(ctx)
  expect(checkId).not.toBe('')
  await ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId}`)
  const before = (await listCheckpoints(ctx)).length
  for (const { run } of [...every, ...every.slice(0, 1)]) await run(app.runtime.system)
  const asked = await jobsOf(ctx)
  expect(asked.filter((name) => name === 'compliance.evaluateInTurn')).toHaveLength(1)
  expect(asked).toContain('compliance.recordEvidence')
  expect(await jobsOf(without)).not.toContain('compliance.evaluateInTurn')
  expect((await listCheckpoints(ctx)).length).toBeGreaterThan(before)
  const { signal } = new AbortController()
  const due = await ctx.db.all(sql<{ name: string; payload: never }>`
    select name, payload from jobs where tenant_id = ${ctx.tenantId} and name like 'compliance.%'`)
  for (const { name, payload } of due)
    await jobs.find(({ job }) => job.name === name)?.run(ctx, payload, signal)
  const evidence = await listEvidence(ctx, { framework: 'nist-csf-2.0', controlId: 'GV.PO-01' })
  expect(evidence).toHaveLength(1)
})

test('entries of what is due are removed one by one, and never those of others', async () => {
  const app = await testApp()
  const [ctx, other] = [await app.newTenant(), await app.newTenant()]
  await removeAllDue(ctx)
  for (const of of [ctx, ctx, other]) await markDue(of, [ID])
  const [first, second] = await nextDue(ctx, 10)
  expect([first?.assetIds, second?.assetIds]).toEqual([[ID], [ID]])
  await removeDue(ctx, [first?.id ?? 0])
  expect(await nextDue(ctx, 10)).toEqual([second])
  await removeAllDue(ctx)
  expect([await nextDue(ctx, 10), await nextDue(other, 10)]).toMatchObject([[], [{ assetIds: [ID] }]])
})

test('a group of checks in halves, down to single ones, judges each check once', async () => {
  const app = await testApp()
  const ctx = await app.newTenant()
  await adoptFramework(ctx, 'nist-csf-2.0')
  const checks = await allChecks(ctx)
  const { groups, faults } = await groupChecks(ctx, checks.slice(0, 7))
  const leaves = async (group: CheckGroup): Promise<string[]> => {
    const halves = await group.halves()
    return halves.length === 0
      ? group.checks.map(({ id }) => id)
      : (await Promise.all(halves.map(leaves))).flat()
  }
  expect(faults.size).toBe(0)
  const found = (await Promise.all(groups.map(leaves))).flat()
  expect(found.toSorted()).toEqual(
    checks
      .slice(0, 7)
      .map(({ id }) => id)
      .toSorted(),
  )
})
