import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addDevices, bytesOf, generated, latest, work } from './reports.fixture.ts'
import {
  createReport,
  downloadReport,
  getReport,
  listSnapshots,
  previewReport,
  runReport,
} from './reports.ts'
import { startScheduled } from './schedules/schedules.ts'

const app = sharedTestApp()
const custom = { name: 'n', type: 'custom' }
const rowsIn = (file: Buffer) => file.toString().trimEnd().split('\r\n').length - 1

test('a condition chooses the assets anew at each generation, and the cover says which', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'web-1', 'db-1')
  const where = 'name : web'
  const { report, file } = await generated(ctx, { ...custom, format: 'xml', where })
  expect(report.filter).toEqual({ where })
  expect(file.toString()).toContain('<scope>1 asset where name : web</scope>')
  expect(file.toString()).not.toContain('db-1')
  await addDevices(ctx, 'web-2')
  await runReport(ctx, report.id)
  await work(ctx, report.id)
  expect((await latest(ctx, report.id)).rowCount).toBe(2)
  expect(await previewReport(ctx, { type: 'custom', where })).toMatchObject({
    scope: '2 assets where name : web',
    rowCount: 2,
  })
})

test('a condition that is true of nothing is a report of nothing, never of all', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'web-1')
  const { file } = await generated(ctx, { ...custom, where: 'name = nobody' })
  expect(rowsIn(file)).toBe(0)
})

test.each(['inventory_summary', 'asset_audit', 'software_license', 'topology', 'budget_forecast'])(
  'a %s takes a condition',
  async (type) => {
    const ctx = await app().newTenant()
    await addDevices(ctx, 'near', 'far')
    const { file } = await generated(ctx, { name: 'n', type, format: 'xml', where: 'name = near' })
    expect(file.toString()).not.toContain('far')
  },
)

test('within a limit a condition finds what the limit leaves', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'near', 'far')
  const limited = ctx.conditions.limit(ctx, 'name = near')
  const { id } = await createReport(limited, { ...custom, where: 'has name' })
  await work(ctx, id)
  expect(rowsIn(await bytesOf(limited, id))).toBe(1)
})

test('what cannot be read, and a list beside it, is refused naming where', async () => {
  const ctx = await app().newTenant()
  const id = '0199a000-0000-7000-8000-000000000001'
  const fields = { status: 400, extras: { field: 'where' } }
  await expect(createReport(ctx, { ...custom, where: 'colour = red' })).rejects.toMatchObject(fields)
  await expect(createReport(ctx, { ...custom, where: 'has name', assetIds: [id] })).rejects.toMatchObject(
    fields,
  )
  const may = (permission: string) => ['reports:write', 'assets:read'].includes(permission)
  const narrow = { ...ctx, actor: { ...ctx.actor, may } }
  await expect(
    createReport(narrow, { ...custom, where: 'any finding(severity = critical)' }),
  ).rejects.toMatchObject(fields)
})

test('a report that is saved with a schedule is pending until its first time', async () => {
  const ctx = await app().newTenant()
  await submit(ctx, { kind: 'csv', name: 'list' }, [])
  const schedule = { cron: '0 6 * * 1', zone: 'Europe/Berlin', recipients: [] }
  const report = await createReport(ctx, { ...custom, schedule })
  expect(report).toMatchObject({ status: 'pending', schedule: schedule.cron, zone: schedule.zone })
  expect((await listSnapshots(ctx, report.id, { limit: 1, offset: 0 })).total).toBe(0)
  await expect(downloadReport(ctx, report.id)).rejects.toMatchObject({ status: 404 })
  const dueAt = report.nextRunAt ?? ''
  const then = { ...ctx, now: () => new Date(Date.parse(dueAt) + 1_000) }
  await startScheduled(then, { reportId: report.id, dueAt })
  expect((await getReport(ctx, report.id)).status).toBe('generating')
  expect((await work(ctx, report.id)).status).toBe('available')
  const wrong = createReport(ctx, { ...custom, schedule: { ...schedule, cron: 'never' } })
  await expect(wrong).rejects.toMatchObject({ status: 400, extras: { field: 'cron' } })
})
