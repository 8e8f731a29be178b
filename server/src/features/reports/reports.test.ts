import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import type { Ctx } from '#platform/context.ts'
import { generateReport } from './generating/generate-report.ts'
import { reportTypes } from './report.ts'
import { addDevices, generated, latest, NEVER, work } from './reports.fixture.ts'
import { createReport, deleteReport, downloadReport, getReport, listReports, runReport } from './reports.ts'

const app = sharedTestApp()

async function eventsOf(ctx: Ctx): Promise<Record<string, unknown>[]> {
  const rows = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = 'EXPORT_COMPLETED' order by created_at, id`)
  return rows.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
}

function outOfOrder(): never {
  throw new Error('out of order')
}

test.each(reportTypes)('%s of an empty inventory is available with its header row', async (type) => {
  const ctx = await app().newTenant()
  const { file } = await generated(ctx, { name: 'n', type })
  expect(file.toString()).toMatch(/^[a-z_]+(,[a-z0-9_]+)+\r\n$/)
})

test.each([
  ['compliance_report', 'compliance_report'],
  ['asset_audit', 'report'],
])(
  '%s emits one EXPORT_COMPLETED of the kind %s, in the commit that makes it available',
  async (type, kind) => {
    const ctx = await app().newTenant()
    await addDevices(ctx, 'web-1')
    const { report } = await generated(ctx, { name: 'n', type, format: 'excel' })
    const { id, fileName } = await latest(ctx, report.id)
    // a second run of the same job finds nothing to do
    await generateReport(ctx, { snapshotId: id }, NEVER)
    expect(await eventsOf(ctx)).toEqual([
      {
        export_id: id,
        tenant_id: ctx.tenantId,
        kind,
        format: 'excel',
        completed_at: expect.stringMatching(/Z$/),
        row_count: type === 'asset_audit' ? 1 : 0,
        filename: fileName,
        resource_id: report.id,
      },
    ])
  },
)

test('an order while one is under way joins it', async () => {
  const ctx = await app().newTenant()
  const { id } = await createReport(ctx, { name: 'n', type: 'topology' })
  const running = await latest(ctx, id)
  expect((await runReport(ctx, id)).id).toBe(running.id)
  await work(ctx, id)
  expect((await runReport(ctx, id)).id).not.toBe(running.id)
})

test('a worker that was overtaken writes nothing', async () => {
  const ctx = await app().newTenant()
  const { id } = await createReport(ctx, { name: 'n', type: 'topology' })
  const { id: snapshotId } = await latest(ctx, id)
  const begun = Promise.withResolvers<void>()
  const now = () => {
    begun.resolve()
    return new Date()
  }
  const slow = generateReport({ ...ctx, now }, { snapshotId }, NEVER)
  await begun.promise
  await Promise.all([work(ctx, id), slow])
  expect(await getReport(ctx, id)).toMatchObject({ status: 'available' })
  expect(await eventsOf(ctx)).toHaveLength(1)
})

test('after three attempts it has failed, with a reason and no event; the file before is still there', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  await runReport(ctx, report.id)
  const { id: snapshotId } = await latest(ctx, report.id)
  const broken = { ...ctx, now: outOfOrder }
  for (let attempt = 1; attempt < 3; attempt += 1)
    await expect(generateReport(broken, { snapshotId }, NEVER)).rejects.toThrow('out of order')
  await generateReport(broken, { snapshotId }, NEVER)
  expect(await getReport(ctx, report.id)).toMatchObject({ status: 'failed' })
  expect(await latest(ctx, report.id)).toMatchObject({
    status: 'failed',
    message: 'an error of the server; its log has more',
  })
  expect(await eventsOf(ctx)).toHaveLength(1)
  expect((await downloadReport(ctx, report.id)).snapshot.id).not.toBe(snapshotId)
})

test('a first generation that failed has no file: 404, and 409 while the next one runs', async () => {
  const ctx = await app().newTenant()
  const { id } = await createReport(ctx, { name: 'n', type: 'topology' })
  const broken = { ...ctx, now: outOfOrder }
  const { id: snapshotId } = await latest(ctx, id)
  for (let attempt = 1; attempt <= 3; attempt += 1)
    await generateReport(broken, { snapshotId }, NEVER).catch(() => undefined)
  await expect(downloadReport(ctx, id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
  await runReport(ctx, id)
  await expect(downloadReport(ctx, id)).rejects.toMatchObject({ status: 409, code: 'report_not_ready' })
})

test('two reports of a tenant are generated at once, the third waits', async () => {
  const ctx = await app().newTenant()
  const ids = []
  for (const name of ['a', 'b', 'c']) ids.push((await createReport(ctx, { name, type: 'topology' })).id)
  await ctx.db.run(sql`
    update report_snapshots set is_worked = true where tenant_id = ${ctx.tenantId}
      and report_id = any(${ids.slice(0, 2)}::uuid[])`)
  expect(await work(ctx, ids[2] ?? '')).toMatchObject({ status: 'generating' })
  expect(await work(ctx, ids[0] ?? '')).toMatchObject({ status: 'available' })
  expect(await work(ctx, ids[2] ?? '')).toMatchObject({ status: 'available' })
})

test('a deleted report is gone with its files, and its deletion is in the audit log', async () => {
  const ctx = await app().newTenant()
  const { report } = await generated(ctx, { name: 'n', type: 'topology' })
  await deleteReport(ctx, report.id)
  await expect(getReport(ctx, report.id)).rejects.toMatchObject({ status: 404 })
  const { chunks } = await ctx.db.one(sql<{ chunks: number }>`
    select count(*) as chunks from report_chunks where tenant_id = ${ctx.tenantId}`)
  expect(chunks).toBe(0)
  const actions = await ctx.db.all(sql<{ action: string }>`
    select action from audit_entries where tenant_id = ${ctx.tenantId} and action like 'report.%'`)
  expect(actions.map(({ action }) => action).toSorted()).toEqual([
    'report.created',
    'report.deleted',
    'report.generated',
  ])
})

test('permission is asked for: reading is not writing', async () => {
  const ctx = await app().newTenant()
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'reports:read' } }
  await expect(createReport(reader, { name: 'n', type: 'topology' })).rejects.toMatchObject({ status: 403 })
  await expect(getReport({ ...ctx, actor: { ...ctx.actor, may: () => false } }, 'x')).rejects.toMatchObject({
    status: 403,
  })
})

test('the total of the list is of its page, whatever comes meanwhile', async () => {
  const ctx = await app().newTenant()
  const make = () => createReport(ctx, { name: 'n', type: 'custom' })
  await make()
  const { items, total } = await listReports(whileOthersWrite(ctx, make), { limit: 50, offset: 0 })
  expect(total).toBe(items.length)
})
