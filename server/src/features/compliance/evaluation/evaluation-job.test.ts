import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { evaluateJob, leaveToAnother } from './evaluation-job.ts'

const shared = sharedTestApp()

/** As the queue notes it of one that a process works on; ended, it is leased no more. */
async function atWork(ctx: Ctx, until = '1 minute'): Promise<void> {
  await enqueue(ctx, evaluateJob, {})
  await ctx.db.run(sql`
    update jobs set leased_until = clock_timestamp() + ${until}::interval
    where tenant_id = ${ctx.tenantId} and leased_until is null`)
}
const waiting = async (ctx: Ctx) =>
  (
    await ctx.db.all(
      sql`select id from jobs where tenant_id = ${ctx.tenantId} and leased_until is null and failed_at is null`,
    )
  ).length

test('the only round of a tenant goes on, whatever others do', async () => {
  const [ctx, other] = [await shared().newTenant(), await shared().newTenant()]
  await atWork(ctx)
  await atWork(other)
  await atWork(ctx, '-1 minute')
  expect([await leaveToAnother(ctx), await waiting(ctx)]).toEqual([false, 0])
})

test('a second one leaves, and one more round follows the first, however many come', async () => {
  const ctx = await shared().newTenant()
  for (let n = 0; n < 3; n += 1) await atWork(ctx)
  expect(await leaveToAnother(ctx)).toBe(true)
  expect(await leaveToAnother(ctx)).toBe(true)
  expect(await waiting(ctx)).toBe(1)
})
