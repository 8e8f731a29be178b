import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import { readPage } from '#platform/conditions/lists/total-of-page.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Report, ReportFilter, ReportStatus, Snapshot } from './report.ts'

/** Reports and their snapshots, without contents. */

const reportColumns = sql`id, name, type, format, filter, status, created_by as "createdBy", created_at as "createdAt",
  schedule, zone, next_run_at as "nextRunAt", recipients, paused_because as "pausedBecause",
  limited_to as "limitedTo"`

const snapshotColumns = sql`id, report_id as "reportId", status, message, requested_at as "requestedAt",
  taken_at as "takenAt", generated_at as "generatedAt", row_count as "rowCount", file_name as "fileName",
  file_bytes as "fileBytes", encode(file_digest, 'hex') as "fileDigest",
  encode(dataset_digest, 'hex') as "datasetDigest", renderer, is_pinned as "isPinned", is_scheduled as "isScheduled"`

export interface NewReport extends Pick<Report, 'id' | 'name' | 'type' | 'format' | 'status'> {
  readonly filter: ReportFilter
}

export function addReport(ctx: Ctx, report: NewReport): Promise<Report> {
  const { kind, id, name, limitedTo = null } = ctx.actor
  const createdBy = { kind, id, ...(name !== undefined && { name }) }
  return ctx.db.one(sql<Report>`
    insert into reports (tenant_id, id, name, normalized_name, type, format, filter, status, created_by, created_at,
      limited_to)
    values (${ctx.tenantId}, ${report.id}, ${report.name}, ${normalizeText(report.name)}, ${report.type}, ${report.format},
      ${JSON.stringify(report.filter)}::jsonb, ${report.status}, ${JSON.stringify(createdBy)}::jsonb, ${ctx.now()},
      ${limitedTo})
    returning ${reportColumns}`)
}

/** Newest first. */
export function reports(ctx: Ctx, page: Page): Promise<Listed<Report>> {
  return readPage(ctx, page, {
    items: sql`
      select ${reportColumns} from reports where tenant_id = ${ctx.tenantId}
      order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`,
    total: sql`select count(*) as total from reports where tenant_id = ${ctx.tenantId}`,
  })
}

/** Those for which a condition holds; newest first unless sorted. */
export async function reportsWhere(ctx: Ctx, page: Page, query: ListQuery): Promise<Listed<Report>> {
  const asked = { ...query, subject: 'report', usual: '-created_at' }
  const { items: ids, total } = await subjectPage(ctx, asked, page)
  const found = await ctx.db.all(sql<Report>`
    select ${reportColumns} from reports
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
  return { items: inOrder(ids, found, ({ id }) => id), total }
}

export function report(ctx: Ctx, id: string): Promise<Report | undefined> {
  return ctx.db.maybe(sql<Report>`
    select ${reportColumns} from reports where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Until the transaction ends, nobody else orders, ends or deletes a generation of the report. */
export function lockReport(ctx: Ctx, id: string): Promise<Report | undefined> {
  return ctx.db.maybe(sql<Report>`
    select ${reportColumns} from reports where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

export async function removeReport(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from reports where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function setStatus(ctx: Ctx, id: string, status: ReportStatus): Promise<void> {
  await ctx.db.run(
    sql`update reports set status = ${status} where tenant_id = ${ctx.tenantId} and id = ${id}`,
  )
}

export function addSnapshot(
  ctx: Ctx,
  { id, reportId, isScheduled }: Pick<Snapshot, 'id' | 'reportId' | 'isScheduled'>,
): Promise<Snapshot> {
  return ctx.db.one(sql<Snapshot>`
    insert into report_snapshots (tenant_id, id, report_id, status, message, requested_at, is_scheduled)
    values (${ctx.tenantId}, ${id}, ${reportId}, 'generating', 'waiting for a worker', ${ctx.now()}, ${isScheduled})
    returning ${snapshotColumns}`)
}

export function snapshot(ctx: Ctx, id: string): Promise<Snapshot | undefined> {
  return ctx.db.maybe(sql<Snapshot>`
    select ${snapshotColumns} from report_snapshots where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Undefined where there is none, or it is not generated yet. */
export function setPinned(ctx: Ctx, id: string, isPinned: boolean): Promise<Snapshot | undefined> {
  return ctx.db.maybe(sql<Snapshot>`
    update report_snapshots set is_pinned = ${isPinned}
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'available' returning ${snapshotColumns}`)
}

export function generating(ctx: Ctx, reportId: string): Promise<Snapshot | undefined> {
  return ctx.db.maybe(sql<Snapshot>`
    select ${snapshotColumns} from report_snapshots
    where tenant_id = ${ctx.tenantId} and report_id = ${reportId} and status = 'generating'`)
}

/** The newest that has a file. */
export function latestAvailable(ctx: Ctx, reportId: string): Promise<Snapshot | undefined> {
  return ctx.db.maybe(sql<Snapshot>`
    select ${snapshotColumns} from report_snapshots
    where tenant_id = ${ctx.tenantId} and report_id = ${reportId} and status = 'available'
    order by requested_at desc, id desc limit 1`)
}

/** Newest first. */
export async function snapshots(
  ctx: Ctx,
  reportId: string,
  { limit, offset }: Page,
): Promise<Listed<Snapshot>> {
  const items = await ctx.db.all(sql<Snapshot>`
    select ${snapshotColumns} from report_snapshots
    where tenant_id = ${ctx.tenantId} and report_id = ${reportId}
    order by requested_at desc, id desc limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from report_snapshots
    where tenant_id = ${ctx.tenantId} and report_id = ${reportId}`)
  return { items, total }
}

/** The latest generation of each of the reports. */
export function latestSnapshots(ctx: Ctx, reportIds: readonly string[]): Promise<Snapshot[]> {
  return ctx.db.all(sql<Snapshot>`
    select distinct on (report_id) ${snapshotColumns} from report_snapshots
    where tenant_id = ${ctx.tenantId} and report_id = any(${[...reportIds]}::uuid[])
    order by report_id, requested_at desc, id desc`)
}

/** The latest good generation of each of the reports that has one. */
export function latestGood(ctx: Ctx, reportIds: readonly string[]): Promise<Snapshot[]> {
  return ctx.db.all(sql<Snapshot>`
    select distinct on (report_id) ${snapshotColumns} from report_snapshots
    where tenant_id = ${ctx.tenantId} and report_id = any(${[...reportIds]}::uuid[]) and status = 'available'
    order by report_id, requested_at desc, id desc`)
}

export interface Attempt {
  readonly snapshotId: string
  readonly reportId: string
  readonly attempt: number
}

/**
 * Begins the work on a snapshot, or begins it again after its worker died. `later`: as many as may of the tenant are
 * worked on; undefined: there is nothing to do.
 */
export async function begin(ctx: Ctx, id: string, atOnceMax: number): Promise<Attempt | 'later' | undefined> {
  await ctx.db.run(lockOfTenant('reports', ctx.tenantId))
  const { others } = await ctx.db.one(sql<{ others: number }>`
    select count(*) as others from report_snapshots
    where tenant_id = ${ctx.tenantId} and is_worked and id <> ${id} and status = 'generating'`)
  if (others >= atOnceMax) return 'later'
  return ctx.db.maybe(sql<Attempt>`
    update report_snapshots set is_worked = true, attempt = attempt + 1, message = 'collecting'
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'generating'
    returning id as "snapshotId", report_id as "reportId", attempt`)
}

/** `counts`: the attempt ended by an accident of its own, and not with its process. */
export async function giveBack(
  ctx: Ctx,
  { snapshotId, attempt }: Attempt,
  { counts }: { readonly counts: boolean },
): Promise<void> {
  await ctx.db.run(sql`
    update report_snapshots set is_worked = false, attempt = attempt - ${counts ? 0 : 1},
      message = 'waiting for a worker'
    where tenant_id = ${ctx.tenantId} and id = ${snapshotId} and attempt = ${attempt} and status = 'generating'`)
}

/** False when another attempt took over, or the report was deleted. */
export async function note(ctx: Ctx, { snapshotId, attempt }: Attempt, message: string): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update report_snapshots set message = ${message}
    where tenant_id = ${ctx.tenantId} and id = ${snapshotId} and attempt = ${attempt} and status = 'generating'`)
  return written === 1
}

export interface Finished {
  readonly takenAt: Date
  readonly generatedAt: Date
  readonly datasetDigest: Buffer
  readonly renderer: number
  readonly rowCount: number
  readonly fileName: string
  readonly fileDigest: Buffer
  readonly fileBytes: number
}

/** Answers whether a schedule waits for it, also one that came while it was generated; undefined when another attempt took over. */
export function makeAvailable(
  ctx: Ctx,
  { snapshotId, attempt }: Attempt,
  it: Finished,
): Promise<Pick<Snapshot, 'isScheduled'> | undefined> {
  return ctx.db.maybe(sql<Pick<Snapshot, 'isScheduled'>>`
    update report_snapshots set status = 'available', message = '', is_worked = false, taken_at = ${it.takenAt},
      generated_at = ${it.generatedAt}, dataset_digest = ${it.datasetDigest}, renderer = ${it.renderer},
      row_count = ${it.rowCount}, file_name = ${it.fileName}, file_digest = ${it.fileDigest},
      file_bytes = ${it.fileBytes}
    where tenant_id = ${ctx.tenantId} and id = ${snapshotId} and attempt = ${attempt} and status = 'generating'
    returning is_scheduled as "isScheduled"`)
}

/** A schedule joined a generation that was ordered otherwise. */
export async function setScheduled(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update report_snapshots set is_scheduled = true where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** False when another attempt took over. */
export async function fail(ctx: Ctx, { snapshotId, attempt }: Attempt, why: string): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update report_snapshots set status = 'failed', message = ${why}, is_worked = false
    where tenant_id = ${ctx.tenantId} and id = ${snapshotId} and attempt = ${attempt} and status = 'generating'`)
  return written === 1
}
