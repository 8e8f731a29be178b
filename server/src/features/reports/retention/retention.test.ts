import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { generated, latest, work } from '../reports.fixture.ts'
import { downloadReport, listSnapshots, runReport } from '../reports.ts'
import { pinSnapshot } from '../pinning.ts'
import { removeBeyond } from './retention-store.ts'
import { removeOldSnapshots } from './retention.ts'

const app = sharedTestApp()
const DAY_MS = 86_400_000

/** As they were left so many days after the one that was generated. */
async function failedAfter(ctx: Ctx, reportId: string, days: number): Promise<void> {
  const at = new Date(Date.now() + days * DAY_MS)
  await ctx.db.run(sql`
    insert into report_snapshots (tenant_id, id, report_id, status, requested_at)
    values (${ctx.tenantId}, ${newUuid(at)}, ${reportId}, 'failed', ${at})`)
}

const inDays = (days: number): Ctx => ({
  ...app().runtime.system,
  now: () => new Date(Date.now() + days * DAY_MS),
})

async function countOf(ctx: Ctx, reportId: string): Promise<number> {
  return (await listSnapshots(ctx, reportId, { limit: 1, offset: 0 })).total
}

test('failures push no good snapshot out: ten of either are kept', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  await runReport(ctx, report.id)
  await work(ctx, report.id)
  for (let days = 1; days <= 12; days += 1) await failedAfter(ctx, report.id, days)
  await removeOldSnapshots(inDays(12))
  const { items } = await listSnapshots(ctx, report.id, { limit: 99, offset: 0 })
  const of = (status: string) => items.filter((it) => it.status === status).length
  expect([of('available'), of('failed')]).toEqual([2, 10])
})

test('ten snapshots of a report are kept, and the latest good one however old it is', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  for (let days = 1; days <= 12; days += 1) await failedAfter(ctx, report.id, days)
  await removeOldSnapshots(inDays(12))
  expect(await countOf(ctx, report.id)).toBe(11)
  await removeOldSnapshots(inDays(1_000))
  expect(await countOf(ctx, report.id)).toBe(1)
  expect((await downloadReport(ctx, report.id)).bytes).toBeGreaterThan(0)
})

test('after 90 days the dataset goes, and the file stays', async () => {
  const ctx = await app().newTenant()
  await generated(ctx, { name: 'n', type: 'topology' })
  const parts = async () =>
    ctx.db.all(sql<{ part: string }>`
      select part from report_chunks where tenant_id = ${ctx.tenantId} order by part`)
  await removeOldSnapshots(inDays(89))
  expect(await parts()).toEqual([{ part: 'dataset' }, { part: 'file' }])
  await removeOldSnapshots(inDays(91))
  expect(await parts()).toEqual([{ part: 'file' }])
})

test('beyond what a tenant may store the oldest go, but never a pinned one nor the latest good one', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  const pinned = await pinSnapshot(ctx, (await latest(ctx, report.id)).id, true)
  for (let n = 0; n < 2; n += 1) {
    await runReport(ctx, report.id)
    await work(ctx, report.id)
  }
  const newest = await latest(ctx, report.id)
  expect(await removeBeyond(ctx, { bytesMax: 1_000_000 })).toBe(0)
  expect(await removeBeyond(ctx, { bytesMax: 1 })).toBe(1)
  const { items } = await listSnapshots(ctx, report.id, { limit: 9, offset: 0 })
  expect(items.map(({ id }) => id)).toEqual([newest.id, pinned.id])
  await pinSnapshot(ctx, pinned.id, false)
  expect(await removeBeyond(ctx, { bytesMax: 1 })).toBe(1)
  expect((await downloadReport(ctx, report.id)).snapshot.id).toBe(newest.id)
})
