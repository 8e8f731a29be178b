import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { writeSwept } from './swept-networks-store.ts'

const home = sharedTestApp()
const DAY_MS = 86_400_000

const ago = (ctx: Ctx, days: number): Ctx => ({ ...ctx, now: () => new Date(Date.now() - days * DAY_MS) })

const networksOf = async (ctx: Ctx): Promise<string[]> => {
  const rows = await ctx.db.all(sql<{ network: string }>`
    select network::text from swept_networks where tenant_id = ${ctx.tenantId} order by network`)
  return rows.map(({ network }) => network)
}

test('sweeps of more than 400 days ago are forgotten, of the own tenant alone', async () => {
  const [ctx, other] = [await home().newTenant(), await home().newTenant()]
  for (const each of [ctx, other]) await writeSwept(ago(each, 401), ['10.1.0.0/24'])
  await writeSwept(ago(ctx, 399), ['10.2.0.0/24'])
  await writeSwept(ctx, ['10.3.0.0/24'])
  expect(await networksOf(ctx)).toEqual(['10.2.0.0/24', '10.3.0.0/24'])
  expect(await networksOf(other)).toEqual(['10.1.0.0/24'])
  await writeSwept(ctx, ['10.2.0.0/24'])
  const latest = await ctx.db.one(sql<{ recent: boolean }>`
    select swept_at > now() - interval '1 day' as recent from swept_networks
    where tenant_id = ${ctx.tenantId} and network = '10.2.0.0/24'`)
  expect(latest.recent).toBe(true)
})
