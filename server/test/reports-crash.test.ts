import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDevices } from '#features/reports/reports.fixture.ts'
import { createReport, getReport } from '#features/reports/reports.ts'
import { testApp } from './support/app/test-app.ts'
import { onDatabase, serve, until } from './support/processes/rollcall-process.ts'

test('a server killed in the middle of a report: another one takes it over, and there is one file and one event', async () => {
  const secretKey = randomBytes(32).toString('hex')
  const { where, newTenant } = await testApp({ secretKey })
  const ctx = await newTenant()
  await addDevices(ctx, 'web-1')
  const environment = onDatabase(where, secretKey)
  const first = await serve(environment)
  const ids = []
  for (const format of ['pdf', 'excel'])
    ids.push((await createReport(ctx, { name: format, type: 'asset_audit', format })).id)
  await until(async () => {
    const { count } = await ctx.db.one(sql<{ count: number }>`
      select count(*) as count from report_snapshots where tenant_id = ${ctx.tenantId} and is_worked`)
    return count > 0
  })
  await first.signal('SIGKILL')
  const second = await serve(environment)
  for (const id of ids) await until(async () => (await getReport(ctx, id)).status === 'available')
  await second.signal('SIGTERM')
  const { snapshots, events, attempts } = await ctx.db.one(sql<Record<string, number>>`
    select (select count(*) from report_snapshots where tenant_id = ${ctx.tenantId}) as snapshots,
      (select max(attempt) from report_snapshots where tenant_id = ${ctx.tenantId}) as attempts,
      (select count(*) from events where tenant_id = ${ctx.tenantId} and type = 'EXPORT_COMPLETED') as events`)
  expect({ snapshots, events, attempts }).toEqual({ snapshots: 2, events: 2, attempts: 2 })
}, 120_000)
