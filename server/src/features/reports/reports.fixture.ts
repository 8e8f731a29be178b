import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { generateReport } from './generating/generate-report.ts'
import { createReport, downloadReport, getReport, listSnapshots, type NewReport } from './reports.ts'
import type { Report, Snapshot } from './report.ts'

/** A process that is not asked to stop. */
export const NEVER: Parameters<typeof generateReport>[2] = new AbortController().signal

/** Adds devices of these names, one source each. */
export async function addDevices(ctx: Ctx, ...names: readonly string[]): Promise<void> {
  await submit(
    ctx,
    { kind: 'csv', name: 'test' },
    names.map((name) => ({
      sourceKey: name,
      seenAt: ctx.now(),
      assetType: 'device' as const,
      name,
      vendor: 'Acme',
      identifiers: [{ type: 'serial' as const, value: `S-${Buffer.from(name).toString('hex')}` }],
    })),
  )
}

/** The id of the asset of this name. */
export async function assetNamed(ctx: Ctx, name: string): Promise<string> {
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and name = ${name}`)
  return id
}

/** Does what a worker would do for the latest generation of the report. */
export async function work(ctx: Ctx, reportId: string): Promise<Report> {
  await generateReport(ctx, { snapshotId: (await latest(ctx, reportId)).id }, NEVER)
  return getReport(ctx, reportId)
}

export async function latest(ctx: Ctx, reportId: string): Promise<Snapshot> {
  const { items } = await listSnapshots(ctx, reportId, { limit: 1, offset: 0 })
  if (!items[0]) throw new Error('the report was never generated')
  return items[0]
}

export async function bytesOf(ctx: Ctx, reportId: string): Promise<Buffer> {
  const { content } = await downloadReport(ctx, reportId)
  return buffer(content)
}

/** A report that has been generated, and its file. */
export async function generated(ctx: Ctx, input: NewReport): Promise<{ report: Report; file: Buffer }> {
  const report = await work(ctx, (await createReport(ctx, input)).id)
  if (report.status !== 'available') throw new Error((await latest(ctx, report.id)).message)
  return { report, file: await bytesOf(ctx, report.id) }
}
