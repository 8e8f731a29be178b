import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { countAssets } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { getBulkChange, startBulkChange, undoBulkChange } from './bulk-changes.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

const ASSETS = 10_000
const KILLS = 2

async function addAssets(ctx: Ctx): Promise<void> {
  for (let from = 0; from < ASSETS; from += 1_000)
    await submit(
      ctx,
      { kind: 'csv', name: 'test' },
      Array.from({ length: 1_000 }, (_, at) => ({
        sourceKey: `host-${from + at}`,
        seenAt: new Date(Date.now() - 1_000),
        assetType: 'device' as const,
        name: `host-${from + at}`,
        identifiers: [{ type: 'serial' as const, value: `serial-${from + at}` }],
      })),
    )
}

/** What progress says beside what is there. */
async function consistent(ctx: Ctx, id: string) {
  const { done, changed } = await getBulkChange(ctx, id)
  const there = await ctx.db.one(sql<{ archived: number; noted: number; counted: number }>`
    select (select count(*)::int from assets where tenant_id = ${ctx.tenantId} and archived_at is not null) as archived,
      (select count(*)::int from bulk_change_items
        where tenant_id = ${ctx.tenantId} and change_id = ${id} and is_done) as noted,
      (select sum(n)::int from asset_counts where tenant_id = ${ctx.tenantId}) as counted`)
  return { done, changed, ...there }
}

test('kill -9 in the middle of a batch leaves no half of it, and the next worker goes on', async () => {
  const secretKey = randomBytes(32).toString('hex')
  const { where, newTenant } = await testApp({ secretKey })
  const ctx = await newTenant()
  await addAssets(ctx)
  const { id } = await startBulkChange(ctx, { verb: 'archive', where: 'name:host' })
  const script = new URL('../../../test/support/processes/job-queue-child.ts', import.meta.url).pathname
  const inTheMiddle: number[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = spawn(process.execPath, [script, JSON.stringify({ where, secretKey })], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const before = (await getBulkChange(ctx, id)).done
    await vi.waitFor(async () => expect((await getBulkChange(ctx, id)).done).toBeGreaterThan(before), {
      timeout: 60_000,
      interval: 5,
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const seen = await consistent(ctx, id)
    expect(seen).toEqual({
      done: seen.done,
      changed: seen.done,
      archived: seen.done,
      noted: seen.done,
      counted: ASSETS - seen.done,
    })
    expect(seen.done % 500).toBe(0)
    inTheMiddle.push(seen.done)
  }
  expect(inTheMiddle[0]).toBeLessThan(ASSETS)

  await workOnBulkChange(ctx, { changeId: id })
  expect(await getBulkChange(ctx, id)).toMatchObject({ status: 'completed', done: ASSETS, changed: ASSETS })
  expect(await countAssets(ctx)).toBe(0)
  const undo = await undoBulkChange(ctx, id)
  await workOnBulkChange(ctx, { changeId: undo.id })
  expect(await countAssets(ctx)).toBe(ASSETS)
})
