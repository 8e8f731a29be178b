import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addDevices, generated } from './reports.fixture.ts'
import { createReport } from './reports.ts'

const app = sharedTestApp()

test('a period filters what is of it; one that is not understood is printed and filters nothing', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'old', 'new')
  await ctx.db.run(sql`
    update assets set first_seen = '2026-02-10T00:00:00Z' where tenant_id = ${ctx.tenantId} and name = 'old'`)
  const newIn = async (period: string) => {
    const { file } = await generated(ctx, { name: 'n', type: 'inventory_summary', period })
    return (parse(file, { columns: true }) as Record<string, string>[])[0]?.['new']
  }
  expect(await newIn('2026-02')).toBe('1')
  expect(await newIn('2026-01')).toBe('0')
  const period = 'since <the> move'
  const { file } = await generated(ctx, { name: 'n', type: 'inventory_summary', format: 'xml', period })
  expect(file.toString()).toContain('<period>since &lt;the&gt; move</period>')
  expect(file.toString()).toContain('The period “since &lt;the&gt; move” was not understood')
})

test('a period and a name are counted in characters, not in units of UTF-16', async () => {
  const ctx = await app().newTenant()
  const make = (name: string, period: string) => createReport(ctx, { name, type: 'topology', period })
  expect((await make('🧾'.repeat(200), '🧾'.repeat(100))).filter.period).toBe('🧾'.repeat(100))
  await expect(make('n', 'x'.repeat(101))).rejects.toMatchObject({ status: 400, extras: { field: 'period' } })
  await expect(make('🧾'.repeat(201), '')).rejects.toMatchObject({ status: 400, extras: { field: 'name' } })
})
