import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDevices } from '#features/reports/reports.fixture.ts'
import { createReport, getReport } from '#features/reports/reports.ts'
import { testApp } from './support/app/test-app.ts'
import { onDatabase, serve, until } from './support/processes/rollcall-process.ts'

/** `CRASH_ROUNDS=10` kills more often; each round waits for other work to have begun before it kills. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1)
const isBegun = [
  sql`is_worked`,
  sql`exists (select from report_chunks c where c.tenant_id = s.tenant_id and c.snapshot_id = s.id)`,
  sql`exists (
    select from report_chunks c where c.tenant_id = s.tenant_id and c.snapshot_id = s.id and c.part = 'file')`,
] as const

test(
  'a server killed in the middle of a report: another one takes it over, and there is one file and one event',
  async () => {
    const secretKey = randomBytes(32).toString('hex')
    const { where, newTenant } = await testApp({ secretKey })
    const ctx = await newTenant()
    await addDevices(ctx, ...Array.from({ length: 200 }, (_, n) => `web-${n}`))
    const environment = onDatabase(where, secretKey)
    let server = await serve(environment)
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids: string[] = []
      for (const format of ['pdf', 'excel'])
        ids.push((await createReport(ctx, { name: format, type: 'asset_audit', format })).id)
      const begun = isBegun[round % isBegun.length] ?? sql`false`
      await until(async () => {
        const { count } = await ctx.db.one(sql<{ count: number }>`
          select count(*) as count from report_snapshots s
          where s.tenant_id = ${ctx.tenantId} and s.report_id = any(${ids}::uuid[]) and ${begun}`)
        return count > 0
      })
      await server.signal('SIGKILL')
      server = await serve(environment)
      for (const id of ids) await until(async () => (await getReport(ctx, id)).status === 'available')
    }
    await server.signal('SIGTERM')
    const found = await ctx.db.one(sql<Record<string, number>>`
      select (select count(*) from report_snapshots where tenant_id = ${ctx.tenantId}) as snapshots,
        (select count(*) from report_snapshots where tenant_id = ${ctx.tenantId} and status = 'available') as available,
        (select count(distinct convert_from(body, 'utf8')::jsonb ->> 'export_id') from events
         where tenant_id = ${ctx.tenantId} and type = 'EXPORT_COMPLETED') as exports,
        (select count(*) from events where tenant_id = ${ctx.tenantId} and type = 'EXPORT_COMPLETED') as events,
        (select count(*) from report_snapshots where tenant_id = ${ctx.tenantId} and attempt > 1) as taken_over`)
    const all = 2 * ROUNDS
    expect(found).toMatchObject({ snapshots: all, available: all, events: all, exports: all })
    // each server was killed while it had a report in hand
    expect(found['taken_over']).toBeGreaterThanOrEqual(ROUNDS)
  },
  120_000 * ROUNDS,
)
