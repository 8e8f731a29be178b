import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import type { Ctx } from '#platform/context.ts'
import { compareSnapshots } from '../comparing/compare-snapshots.ts'
import { addDevices, generated, latest, work } from '../reports.fixture.ts'
import { createReport, getReport, listSnapshots, previewReport, runReport } from '../reports.ts'
import { scheduleReport, startScheduled } from './schedules.ts'

const app = sharedTestApp()

const weekly = { cron: '0 6 * * 1', zone: 'Europe/Berlin', recipients: [] }

async function countOf(ctx: Ctx, id: string): Promise<number> {
  return (await listSnapshots(ctx, id, { limit: 1, offset: 0 })).total
}

async function mailsOf(ctx: Ctx): Promise<{ subject: string; attached: string | null }[]> {
  return ctx.db.all(sql<{ subject: string; attached: string | null }>`
    select subject, attachment_name as attached from notice_messages where tenant_id = ${ctx.tenantId} order by subject`)
}

/** A report that a member scheduled, due so many hours ago. */
async function due(ctx: Ctx, id: string, hours: number): Promise<string> {
  const { at } = await ctx.db.one(sql<{ at: string }>`
    update reports set next_run_at = date_trunc('milliseconds', clock_timestamp() - make_interval(hours => ${hours}))
    where tenant_id = ${ctx.tenantId} and id = ${id} returning next_run_at as at`)
  return at
}

test('a due time generates the report once, sends its file to who may read it, and notes the next time', async () => {
  const ctx = await app().newTenant()
  const member = await newPerson(app(), ctx, { isAdmin: true })
  const { report } = await generated(ctx, { name: 'Stock-take', type: 'topology' })
  const scheduled = await scheduleReport(ctx, report.id, {
    ...weekly,
    recipients: [member.email.toUpperCase()],
  })
  expect(scheduled.recipients).toEqual([member.email])
  expect(Date.parse(scheduled.nextRunAt ?? '')).toBeGreaterThan(Date.now())
  const dueAt = await due(ctx, report.id, 3)
  await startScheduled(ctx, { reportId: report.id, dueAt })
  await startScheduled(ctx, { reportId: report.id, dueAt })
  expect(await countOf(ctx, report.id)).toBe(2)
  await work(ctx, report.id)
  expect(await mailsOf(ctx)).toEqual([
    { subject: 'Report: Stock-take', attached: (await latest(ctx, report.id)).fileName },
  ])
  expect(Date.parse((await getReport(ctx, report.id)).nextRunAt ?? '')).toBeGreaterThan(Date.now())
})

test('a due time joins a generation that is under way, whose file is sent then', async () => {
  const ctx = await app().newTenant()
  const member = await newPerson(app(), ctx, { isAdmin: true })
  const { report } = await generated(ctx, { name: 'Stock-take', type: 'topology' })
  await scheduleReport(ctx, report.id, { ...weekly, recipients: [member.email] })
  await runReport(ctx, report.id)
  await startScheduled(ctx, { reportId: report.id, dueAt: await due(ctx, report.id, 1) })
  expect(await countOf(ctx, report.id)).toBe(2)
  await work(ctx, report.id)
  const { fileName, isScheduled } = await latest(ctx, report.id)
  expect(isScheduled).toBe(true)
  expect(await mailsOf(ctx)).toEqual([{ subject: 'Report: Stock-take', attached: fileName }])
})

test('a time that nobody noticed for more than a day is left out; without a schedule none comes', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  await scheduleReport(ctx, report.id, weekly)
  await startScheduled(ctx, { reportId: report.id, dueAt: await due(ctx, report.id, 30) })
  expect(await countOf(ctx, report.id)).toBe(1)
  const dueAt = await due(ctx, report.id, 1)
  expect(await scheduleReport(ctx, report.id, null)).toMatchObject({ schedule: null, nextRunAt: null })
  await startScheduled(ctx, { reportId: report.id, dueAt })
  expect(await countOf(ctx, report.id)).toBe(1)
})

test('when who made the report has left, its schedule pauses and the recipients are told', async () => {
  const ctx = await app().newTenant()
  const member = await newPerson(app(), ctx, { isAdmin: true })
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  await ctx.db.run(sql`
    update reports set created_by = ${JSON.stringify({ kind: 'user', id: ctx.tenantId })}::jsonb
    where tenant_id = ${ctx.tenantId} and id = ${report.id}`)
  await scheduleReport(ctx, report.id, { ...weekly, recipients: [member.email] })
  await startScheduled(ctx, { reportId: report.id, dueAt: await due(ctx, report.id, 1) })
  expect(await countOf(ctx, report.id)).toBe(1)
  expect(await getReport(ctx, report.id)).toMatchObject({
    nextRunAt: null,
    pausedBecause: 'who made the report is no longer a member',
  })
  expect(await mailsOf(ctx)).toEqual([{ subject: 'Report paused: n', attached: null }])
})

test.each([
  ['cron', { cron: 'whenever' }],
  ['cron', { cron: '* * * * *' }],
  ['zone', { zone: 'Mars/Olympus' }],
  ['recipients', { recipients: ['nobody@example.org'] }],
])('what is no %s is refused, naming it', async (field, wrong) => {
  const ctx = await app().newTenant()
  const { id } = await createReport(ctx, { name: 'n', type: 'topology' })
  await expect(scheduleReport(ctx, id, { ...weekly, ...wrong })).rejects.toMatchObject({
    status: 400,
    extras: { field },
  })
})

test('two snapshots of a report are compared by their rows; a preview stores nothing', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'web-1', 'web-2')
  const { report } = await generated(ctx, { name: 'n', type: 'asset_audit' })
  const before = await latest(ctx, report.id)
  await addDevices(ctx, 'web-3')
  await runReport(ctx, report.id)
  await work(ctx, report.id)
  const after = await latest(ctx, report.id)
  expect(await compareSnapshots(ctx, before.id, after.id)).toMatchObject({
    added: [{ name: 'web-3' }],
    gone: [],
    changed: [],
    unchanged: 2,
  })
  const other = await generated(ctx, { name: 'o', type: 'asset_audit' })
  const unlike = (await latest(ctx, other.report.id)).id
  await expect(compareSnapshots(ctx, before.id, unlike)).rejects.toMatchObject({ extras: { field: 'to' } })
  const preview = await previewReport(ctx, { type: 'asset_audit' })
  expect(preview).toMatchObject({
    scope: 'all assets',
    rowCount: 3,
    isMore: false,
    parts: ['Assets', 'What differs'],
  })
  expect((await previewReport(ctx, { type: 'topology' })).parts).toContain('Single points of failure')
  expect(preview.rows[0]?.cells[preview.columns.indexOf('Name')]).toBe('web-1')
  expect(await countOf(ctx, report.id)).toBe(2)
})
