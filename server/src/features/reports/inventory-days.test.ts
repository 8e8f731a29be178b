import { expect, test } from 'vitest'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { inventoryTrend, writeInventoryDays } from './inventory-days.ts'

const app = sharedTestApp()
const DAY_MS = 86_400_000

test('what was counted each night, since when, and of findings nothing for who may not read them', async () => {
  const ctx = await app().newTenant()
  expect(await inventoryTrend(ctx, 30)).toEqual({ countedSince: null, nights: [] })
  const now = ctx.now().getTime()
  const [long, before, today] = [now - 40 * DAY_MS, now - DAY_MS, now].map((at) => new Date(at))
  const day = (at: Date | undefined) => at?.toISOString().slice(0, 10)
  const system = app().runtime.system
  await submit(ctx, csv, [seen('1', { hostname: 'web-1' })])
  for (const at of [long, before]) await writeInventoryDays({ ...system, now: () => at ?? new Date() })
  await submit(ctx, csv, [seen('2', { hostname: 'web-2' })])
  await writeInventoryDays({ ...system, now: () => today ?? new Date() })
  const trend = await inventoryTrend(ctx, 30)
  expect(trend).toEqual({
    countedSince: day(long),
    nights: [
      { day: day(before), assets: 1, openFindings: 0 },
      { day: day(today), assets: 2, openFindings: 0 },
    ],
  })
  expect((await inventoryTrend(ctx, 365)).nights).toHaveLength(3)
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'assets:read' } }
  expect((await inventoryTrend(reader, 30)).nights.map((it) => it.openFindings)).toEqual([null, null])
  await expect(inventoryTrend(ctx, 0)).rejects.toThrow('days: must be')
})
