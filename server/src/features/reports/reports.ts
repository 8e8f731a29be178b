/** Reports: what people file and auditors check, generated in the background, each generation kept as it was. */
import { Readable } from 'node:stream'
import { record } from '#features/audit/audit.ts'
import { atomically, beyondLimit, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound, Refusal } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { refuseUnprintable } from '#platform/validation/checked-name.ts'
import * as chunkStore from './chunk-store.ts'
import { previewDataset } from './generating/collect-dataset.ts'
import { orderSnapshot } from './generating/order-snapshot.ts'
import {
  fileKinds,
  reportFormats,
  reportTypes,
  type Report,
  type ReportFilter,
  type ReportFormat,
  type ReportType,
  type Snapshot,
} from './report.ts'
import { headText, readableCell } from './pdf/cell-text.ts'
import { refuseBeyondLimit, toChangeReport } from './report-within-limit.ts'
import type { SimulatedChange } from './simulation/change.ts'
import * as store from './store.ts'

export { reportFormats, reportTypes } from './report.ts'

/** As a caller gives it. */
export interface NewReport {
  readonly name: string
  readonly type: string
  /** `csv` unless given. */
  readonly format?: string | undefined
  /** None or an empty list: all assets. */
  readonly assetIds?: readonly string[] | undefined
  readonly period?: string | undefined
  /** Of type `custom`: a change that was read. */
  readonly simulation?: SimulatedChange | undefined
}

const NAME_LENGTH_MAX = 200
const PERIOD_LENGTH_MAX = 100
const ASSET_IDS_MAX = 10_000
/** The contract's. */
const RETRY_AFTER_SECONDS = 60

/** Saves a report and orders its first generation: both, and the job, are one commit. */
export async function createReport(ctx: Ctx, input: NewReport): Promise<Report> {
  permit(ctx, 'reports:write')
  const wanted = checked(input)
  refuseBeyondLimit(ctx, wanted.type)
  return atomically(beyondLimit(ctx), async (inner) => {
    const id = newUuid(ctx.now())
    const report = await store.addReport(inner, { id, ...wanted, status: 'generating' })
    await orderSnapshot(inner, id)
    const { name, type, format } = report
    await record(inner, 'report.created', { type: 'report', id }, { name, type, format })
    return report
  })
}

export interface ReportPreview {
  readonly scope: string
  /** What the report would not show. */
  readonly notes: readonly string[]
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
  input: Pick<NewReport, 'type' | 'assetIds' | 'period'>,
): Promise<ReportPreview> {
  permit(ctx, 'reports:write')
  const { type, filter } = checked({ ...input, name: 'preview' })
  refuseBeyondLimit(ctx, type)
  const { scope, notes, columns, rows } = await previewDataset(ctx, { type, filter })
  return {
    scope,
    notes,
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
}

/** Newest first, each with its latest generation. */
export async function listReportsWithLatest(ctx: Ctx, page: Page): Promise<Listed<ReportWithLatest>> {
  const { items, total } = await listReports(ctx, page)
  const latest = await latestSnapshots(
    ctx,
    items.map(({ id }) => id),
  )
  const byReport = new Map(latest.map((it) => [it.reportId, it]))
  return { items: items.map((it) => ({ ...it, latest: byReport.get(it.id) ?? null })), total }
}

export async function withLatest(ctx: Ctx, report: Report): Promise<ReportWithLatest> {
  const [latest] = await latestSnapshots(ctx, [report.id])
  return { ...report, latest: latest ?? null }
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

interface Checked {
  readonly name: string
  readonly type: ReportType
  readonly format: ReportFormat
  readonly filter: ReportFilter
}

function checked({ name, type, format = 'csv', assetIds, period, simulation }: NewReport): Checked {
  if (name.trim() === '') throw invalid('name', 'must not be blank')
  if (name.length > NAME_LENGTH_MAX) throw invalid('name', `must have at most ${NAME_LENGTH_MAX} characters`)
  refuseUnprintable('name', name)
  const knownType = reportTypes.find((it) => it === type)
  if (!knownType) throw invalid('type', `must be one of ${reportTypes.join(', ')}`)
  const knownFormat = reportFormats.find((it) => it === format)
  if (!knownFormat) throw invalid('format', `must be one of ${reportFormats.join(', ')}`)
  const filter = { ...checkedFilter(assetIds, period), ...(simulation && { simulation }) }
  return { name, type: knownType, format: knownFormat, filter }
}

function checkedFilter(assetIds: readonly string[] = [], period?: string): ReportFilter {
  if (assetIds.length > ASSET_IDS_MAX)
    throw invalid('asset_ids', `must have at most ${ASSET_IDS_MAX} ids, and has ${assetIds.length}`)
  const wrong = assetIds.findIndex((id) => !isUuid(id))
  if (wrong >= 0) throw invalid(`asset_ids.${wrong}`, 'must be a UUID')
  if (period !== undefined && period.length > PERIOD_LENGTH_MAX)
    throw invalid('period', `must have at most ${PERIOD_LENGTH_MAX} characters`)
  if (period !== undefined) refuseUnprintable('period', period)
  const distinct = [...new Set(assetIds.map((id) => id.toLowerCase()))]
  return { ...(distinct.length > 0 && { assetIds: distinct }), ...(period !== undefined && { period }) }
}
