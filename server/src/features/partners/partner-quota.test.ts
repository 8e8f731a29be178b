import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveAsset, deleteAsset } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { ask, partnerScene } from './partners.fixture.ts'

const BATCHES = 12
const PER_BATCH = 20

async function addBatch(ctx: Ctx, n: number): Promise<void> {
  const machines = Array.from({ length: PER_BATCH }, (_, at) => {
    const name = `host-${n}-${at}`
    return { sourceKey: name, seenAt: new Date(), identifiers: [{ type: 'hostname' as const, value: name }] }
  })
  await submit(ctx, { kind: 'csv', name: 'scan' }, machines)
}

const living = async (ctx: Ctx): Promise<number> =>
  (
    await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from assets where tenant_id = ${ctx.tenantId} and archived_at is null`)
  ).n

test('the quota is what SQL counts, also while a scan adds assets, and after some are archived or deleted', async () => {
  const app = await testApp()
  const { ctx, all, path } = await partnerScene(app)
  const counted = async (): Promise<number> => {
    const answer = await ask(app, { partner: all }, ['GET', `${path}/quota/${ctx.tenantId}`])
    return answer.body['asset_count'] as number
  }
  let isOver = false
  const adding = (async () => {
    for (let n = 0; n < BATCHES; n++) await addBatch(ctx, n)
    isOver = true
  })()
  const between: number[] = []
  while (!isOver) {
    const before = await living(ctx)
    const quota = await counted()
    const after = await living(ctx)
    expect(quota).toBeGreaterThanOrEqual(before)
    expect(quota).toBeLessThanOrEqual(after)
    between.push(quota)
  }
  await adding
  expect(between.some((n) => n > 0 && n < BATCHES * PER_BATCH)).toBe(true)
  expect(await counted()).toBe(BATCHES * PER_BATCH)
  const ids = await ctx.db.all(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} order by id limit 2`)
  await archiveAsset(ctx, ids[0]?.id ?? '')
  await deleteAsset(ctx, ids[1]?.id ?? '')
  expect(await counted()).toBe(BATCHES * PER_BATCH - 2)
  expect(await counted()).toBe(await living(ctx))
})
