import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createKey } from '#features/api-keys/api-keys.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '../../../test/support/app/test-app.ts'
import { generateReport } from './generating/generate-report.ts'
import { addDevices, assetNamed, bytesOf, generated, latest, NEVER, work } from './reports.fixture.ts'
import { createReport, deleteReport, getReport, listReports, previewReport, runReport } from './reports.ts'
import { scheduleReport, startScheduled } from './schedules/schedules.ts'

const app = sharedTestApp()
const ALL = { limit: 9, offset: 0 }
const WEEKLY = { cron: '0 6 * * 1', zone: 'Europe/Berlin', recipients: [] }

/** Two devices, and the tenant as who is limited to the first sees it. */
async function scene() {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'near', 'far')
  const where = `id in (${await assetNamed(ctx, 'near')})`
  return { ctx, where, limited: ctx.conditions.limit(ctx, where) }
}

/** As a worker does it: without the limit of who ordered the report. */
async function fileOf(ctx: Ctx, id: string): Promise<string> {
  expect((await work(ctx, id)).status).toBe('available')
  return (await bytesOf(ctx, id)).toString()
}

const kinds = [
  'inventory_summary',
  'asset_audit',
  'software_license',
  'topology',
  'budget_forecast',
  'custom',
]

test.each(kinds)('a %s of who is limited holds the assets within the condition alone', async (type) => {
  const { ctx, limited } = await scene()
  const { id } = await createReport(limited, { name: type, type, format: 'xml' })
  const file = await fileOf(ctx, id)
  expect(file).not.toContain('far')
  expect((await bytesOf(limited, id)).toString()).toBe(file)
})

test.each(['custom', 'asset_audit'])('a %s of who is limited has a row for each such asset', async (type) => {
  const { ctx, limited } = await scene()
  const { id } = await createReport(limited, { name: type, type, format: 'xml' })
  expect(await fileOf(ctx, id)).toContain('near')
  expect(await latest(limited, id)).toMatchObject({ rowCount: 1 })
  const whole = await generated(ctx, { name: type, type, format: 'xml' })
  expect(whole.file.toString()).toContain('far')
})

test('naming an asset beyond the condition does not bring it in', async () => {
  const { ctx, limited } = await scene()
  const assetIds = [await assetNamed(ctx, 'near'), await assetNamed(ctx, 'far')]
  const { id } = await createReport(limited, { name: 'n', type: 'custom', assetIds })
  expect(await fileOf(ctx, id)).not.toContain('far')
  expect(await previewReport(limited, { type: 'custom', assetIds })).toMatchObject({ rowCount: 1 })
})

test('reports of who sees more or other assets are not there; those under the same condition are', async () => {
  const { ctx, where, limited } = await scene()
  const wide = (await generated(ctx, { name: 'wide', type: 'custom' })).report
  const other = ctx.conditions.limit(ctx, 'name = far')
  const foreign = await createReport(other, { name: 'foreign', type: 'custom' })
  const own = await createReport(limited, { name: 'own', type: 'custom' })
  for (const { id } of [wide, foreign])
    for (const attempt of [
      () => getReport(limited, id),
      () => runReport(limited, id),
      () => deleteReport(limited, id),
      () => bytesOf(limited, id),
      () => scheduleReport(limited, id, WEEKLY),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
  expect(await listReports(limited, ALL)).toMatchObject({ total: 1, items: [{ name: 'own' }] })
  const equal = ctx.conditions.limit({ ...ctx, actor: { ...ctx.actor, id: 'another' } }, where)
  expect(await getReport(equal, own.id)).toMatchObject({ name: 'own' })
  expect((await listReports(ctx, ALL)).total).toBe(3)
})

test('a scheduled generation is collected within the condition', async () => {
  const { ctx, limited } = await scene()
  const { id } = await createReport(limited, { name: 'n', type: 'custom' })
  await work(ctx, id)
  await scheduleReport(limited, id, WEEKLY)
  const { at } = await ctx.db.one(sql<{ at: string }>`
    update reports set next_run_at = date_trunc('milliseconds', clock_timestamp() - interval '1 hour')
    where tenant_id = ${ctx.tenantId} and id = ${id} returning next_run_at as at`)
  await startScheduled(ctx, { reportId: id, dueAt: at })
  const snapshot = await latest(ctx, id)
  expect(snapshot.isScheduled).toBe(true)
  await generateReport(ctx, { snapshotId: snapshot.id }, NEVER)
  expect((await bytesOf(limited, id)).toString()).not.toContain('far')
})

test('under a condition that cannot be read any more a generation fails with the reason', async () => {
  const { ctx } = await scene()
  const { id } = await createReport(ctx.conditions.limit(ctx, 'colour = red'), { name: 'n', type: 'custom' })
  expect((await work(ctx, id)).status).toBe('failed')
  expect((await latest(ctx, id)).message).toContain('where')
})

test('a compliance report is refused with a reason', async () => {
  const { limited } = await scene()
  await expect(createReport(limited, { name: 'n', type: 'compliance_report' })).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('judged over all assets'),
  })
})

test('REST: a limited key orders a report, reads it and downloads it', async () => {
  const { ctx, where } = await scene()
  const { secret } = await createKey(ctx, { name: 'limited', scopes: ['read', 'write'], where })
  const wide = (await generated(ctx, { name: 'wide', type: 'custom' })).report
  const key = app().as(secret)
  const made = await key.send('POST', '/api/v1/reports', {
    body: JSON.stringify({ name: 'own', type: 'custom' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(made.status).toBeLessThan(300)
  const { items } = await listReports(ctx, ALL)
  const own = items.find(({ name }) => name === 'own')?.id ?? ''
  await work(ctx, own)
  expect((await key.send('GET', `/api/v1/reports/${own}`)).status).toBe(200)
  const file = await key.send('GET', `/api/v1/reports/${own}/download`)
  expect([file.status, file.text.includes('near'), file.text.includes('far')]).toEqual([200, true, false])
  for (const path of [wide.id, `${wide.id}/download`])
    expect((await key.send('GET', `/api/v1/reports/${path}`)).status).toBe(404)
})
