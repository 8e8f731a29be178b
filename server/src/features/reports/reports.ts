/** Reports: what people file and auditors check, generated in the background, each generation kept as it was. */
import { Readable } from 'node:stream'
import { record } from '#features/audit/audit.ts'
import type { ListQuery } from '#platform/conditions/lists/subject-page.ts'
import { atomically, beyondLimit, permit, type Ctx } from '#platform/context.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedReport, type NewReport } from './checked-report.ts'
import * as chunkStore from './chunk-store.ts'
import { previewDataset } from './generating/collect-dataset.ts'
import { orderSnapshot } from './generating/order-snapshot.ts'
import { refuseTooManySheetsNow } from './generating/sheet-limit.ts'
import { fileKinds, type Report, type Snapshot } from './report.ts'
import { headText, readableCell } from './pdf/cell-text.ts'
import { permitType } from './permissions/permitted-sections.ts'
import { refuseBeyondLimit, toChangeReport } from './report-within-limit.ts'
import { setSchedule } from './schedules/schedules.ts'
import * as store from './store.ts'

export type { NewReport } from './checked-report.ts'
export { budgetTerms, setBudgetSettings, setExchangeRate, setReplacementPrice } from './budget/budget.ts'
export { reportFormats, reportTypes } from './report.ts'

/** The contract's. */
const RETRY_AFTER_SECONDS = 60

/** Saves a report and orders its first generation, now or at its first due time: both, and the job, are one commit. */
export async function createReport(ctx: Ctx, input: NewReport): Promise<Report> {
  permit(ctx, 'reports:write')
  const wanted = await checkedReport(ctx, input)
  permitType(ctx, wanted.type)
  refuseBeyondLimit(ctx, wanted.type)
  await refuseTooManySheetsNow(ctx, wanted)
  const { schedule } = input
  return atomically(beyondLimit(ctx), async (inner) => {
    const id = newUuid(ctx.now())
    const status = schedule ? 'pending' : 'generating'
    const report = await store.addReport(inner, { id, ...wanted, status })
    const { name, type, format } = report
    await record(inner, 'report.created', { type: 'report', id }, { name, type, format })
    if (schedule) return setSchedule(inner, report, schedule)
    await orderSnapshot(inner, id)
    return report
  })
}

export interface ReportPreview {
  readonly scope: string
  /** What the report would not show. */
  readonly notes: readonly string[]
  /** What the contents of the report would name. */
  readonly parts: readonly string[]
  readonly columns: readonly string[]
  /** Of the main table, those of a first page. */
  readonly rows: readonly { readonly cells: readonly string[] }[]
  /** Of the main table, as many as were read. */
  readonly rowCount: number
  /** There may be more than were read. */
  readonly isMore: boolean
}

const PREVIEW_ROWS = 25
const READ_MAX = 2_000

/** How the first page of a report would look now. Nothing is stored. */
export async function previewReport(
  ctx: Ctx,
  input: Pick<NewReport, 'type' | 'assetIds' | 'where' | 'period' | 'table'>,
): Promise<ReportPreview> {
  permit(ctx, 'reports:write')
  const { type, filter } = await checkedReport(ctx, { ...input, name: 'preview' })
  permitType(ctx, type)
  refuseBeyondLimit(ctx, type)
  const { scope, notes, parts, columns, rows } = await previewDataset(ctx, { type, filter })
  return {
    scope,
    notes,
    parts,
    columns: columns.map((it) => headText(it)),
    rows: rows
      .slice(0, PREVIEW_ROWS)
      .map((row) => ({ cells: columns.map((column, at) => readableCell(row[at] ?? null, column)) })),
    rowCount: rows.length,
    isMore: rows.length >= READ_MAX,
  }
}

/** Newest first. */
export async function listReports(ctx: Ctx, page: Page): Promise<Listed<Report>> {
  permit(ctx, 'reports:read')
  return store.reports(ctx, page)
}

export async function getReport(ctx: Ctx, id: string): Promise<Report> {
  permit(ctx, 'reports:read')
  const report = isUuid(id) ? await store.report(ctx, id) : undefined
  if (!report) throw notFound('report')
  return report
}

/** Orders another generation, or answers the one that is under way. */
export async function runReport(ctx: Ctx, id: string): Promise<Snapshot> {
  permit(ctx, 'reports:write')
  return atomically(await toChangeReport(ctx, id), async (inner) => {
    const report = await store.lockReport(inner, id)
    if (!report) throw notFound('report')
    permitType(inner, report.type)
    const running = await store.generating(inner, id)
    if (running) return running
    await store.setStatus(inner, id, 'generating')
    await record(inner, 'report.ordered', { type: 'report', id }, { name: report.name })
    return orderSnapshot(inner, id)
  })
}

/** With all that was generated of it. */
export async function deleteReport(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'reports:write')
  await atomically(await toChangeReport(ctx, id), async (inner) => {
    const report = await store.lockReport(inner, id)
    if (!report) throw notFound('report')
    await store.removeReport(inner, id)
    const { name, type } = report
    await record(inner, 'report.deleted', { type: 'report', id }, { name, type })
  })
}

/** Newest first. */
export async function listSnapshots(ctx: Ctx, reportId: string, page: Page): Promise<Listed<Snapshot>> {
  const report = await getReport(ctx, reportId)
  return store.snapshots(ctx, report.id, page)
}

/** The latest generation of each of the reports. */
export async function latestSnapshots(ctx: Ctx, reportIds: readonly string[]): Promise<readonly Snapshot[]> {
  permit(ctx, 'reports:read')
  return reportIds.length === 0 ? [] : store.latestSnapshots(ctx, reportIds)
}

export interface ReportWithLatest extends Report {
  /** Null: it was never generated. */
  readonly latest: Snapshot | null
  /** The latest good generation, whose file is downloaded also while the next is made or has failed. */
  readonly good: Snapshot | null
}

/** Those for which a condition holds, each with its latest generation; newest first unless sorted. */
export async function listReportsWithLatest(
  ctx: Ctx,
  page: Page,
  query: ListQuery,
): Promise<Listed<ReportWithLatest>> {
  permit(ctx, 'reports:read')
  const { items, total } = await store.reportsWhere(ctx, page, query)
  return { items: await allWithLatest(ctx, items), total }
}

export async function withLatest(ctx: Ctx, report: Report): Promise<ReportWithLatest> {
  const [it] = await allWithLatest(ctx, [report])
  if (!it) throw new Error('no report')
  return it
}

async function allWithLatest(ctx: Ctx, reports: readonly Report[]): Promise<ReportWithLatest[]> {
  const ids = reports.map(({ id }) => id)
  const latest = new Map((await latestSnapshots(ctx, ids)).map((it) => [it.reportId, it]))
  // mostly the latest one is good
  const others = ids.filter((id) => latest.get(id)?.status !== 'available')
  const found = others.length === 0 ? [] : await store.latestGood(ctx, others)
  const good = new Map(found.map((it) => [it.reportId, it]))
  return reports.map((it) => {
    const last = latest.get(it.id) ?? null
    return { ...it, latest: last, good: last?.status === 'available' ? last : (good.get(it.id) ?? null) }
  })
}

export interface ReportFile {
  readonly snapshot: Snapshot & { readonly fileName: string; readonly generatedAt: string }
  readonly mediaType: string
  readonly bytes: number
  /** Read from the database as it is taken. */
  readonly content: Readable
}

/**
 * The file of the latest good snapshot, or of the one that is named; also while a newer one is generated. Refuses with
 * 409 where there is none yet, and with 404 where there is none and nobody is at it.
 */
export async function downloadReport(ctx: Ctx, id: string, snapshotId?: string): Promise<ReportFile> {
  const report = await getReport(ctx, id)
  const snapshot =
    snapshotId === undefined
      ? await store.latestAvailable(ctx, report.id)
      : await snapshotOf(ctx, report, snapshotId)
  if (!snapshot || snapshot.status !== 'available') throw await noFile(ctx, report)
  const { fileName, generatedAt, fileBytes } = snapshot
  if (fileName === null || generatedAt === null || fileBytes === null)
    throw new Error('an available snapshot has no file')
  return {
    snapshot: { ...snapshot, fileName, generatedAt },
    mediaType: fileKinds[report.format].mediaType,
    bytes: fileBytes,
    content: Readable.from(contentOf(ctx, snapshot.id, fileBytes), { objectMode: false }),
  }
}

async function snapshotOf(ctx: Ctx, { id }: Report, snapshotId: string): Promise<Snapshot | undefined> {
  const found = isUuid(snapshotId) ? await store.snapshot(ctx, snapshotId) : undefined
  return found?.reportId === id ? found : undefined
}

async function noFile(ctx: Ctx, { id }: Report): Promise<Refusal> {
  if (!(await store.generating(ctx, id))) return new Refusal(404, 'not_found', 'the report has no file')
  return new Refusal(409, 'report_not_ready', 'the report is still being generated; try again later', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

async function* contentOf(ctx: Ctx, snapshotId: string, bytes: number): AsyncGenerator<Buffer> {
  let at = 0
  for (let n = 0; at < bytes; n += 1) {
    const content = await chunkStore.chunk(ctx, snapshotId, { part: 'file', n })
    if (!content) throw new Error(`the file of snapshot ${snapshotId} ends at byte ${at} of ${bytes}`)
    yield content
    at += content.length
  }
}
