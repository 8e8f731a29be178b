import { findPlaces } from '#features/records/records.ts'
import { isLimited, type Ctx } from '#platform/context.ts'
import {
  writeDataset,
  type Cell,
  type Column,
  type Dataset,
  type DatasetWriter,
  type Row,
} from '../dataset/dataset.ts'
import { parsePeriod } from '../dataset/period.ts'
import { reportKinds } from '../kinds/all.ts'
import * as store from './collecting-store.ts'
import type { Collecting, Section } from '../kinds/kind.ts'
import type { Report } from '../report.ts'

const WEEK_MS = 7 * 86_400_000
/** A preview reads no more once it has so many. */
const PREVIEW_ROWS = 2_000

export interface Collected extends Dataset {
  readonly takenAt: Date
}

/** What the report shows, as one transaction sees the inventory. `onRows` is told how many rows there are so far. */
export async function collectDataset(
  ctx: Ctx,
  report: Report,
  { snapshotId, onRows }: { readonly snapshotId: string; readonly onRows: (rows: number) => Promise<void> },
): Promise<Collected> {
  const takenAt = ctx.now()
  const organisation = await store.organisationName(ctx)
  const dataset = await ctx.db.transaction(async (db) => {
    const inner = { ...ctx, db }
    await store.readOneState(inner)
    const collecting = await collectingOf(inner, report, takenAt)
    const kind = reportKinds[report.type]
    const notes = [...(await notesOf(collecting, report)), ...((await kind.notes?.(collecting)) ?? [])]
    const { name, type, filter } = report
    const assetUrl = await store.assetUrl(inner)
    const writer = writeDataset()
    await writer.add({
      about: {
        name,
        organisation,
        type,
        snapshotId,
        asOf: takenAt.toISOString(),
        scope: scopeOf(collecting),
        ...(filter.period !== undefined && { period: filter.period }),
        notes,
        assetUrl,
      },
    })
    await addSections(writer, kind.sections(collecting), onRows)
    return writer.end()
  })
  return { ...dataset, takenAt }
}

async function addSections(
  writer: DatasetWriter,
  sections: readonly Section[],
  onRows: (rows: number) => Promise<void>,
): Promise<void> {
  let count = 0
  for (const { rows, ...section } of sections) {
    await writer.add({ section })
    for await (const batch of rows) {
      for (const row of batch) await writer.add({ row: cellsOf(section.columns, row) })
      count += batch.length
      await onRows(count)
    }
  }
}

const cellsOf = (columns: readonly Column[], row: Readonly<Record<string, Cell | undefined>>): Row =>
  columns.map(({ name, kind }) => {
    const cell = row[name] ?? null
    return kind === 'decimal' && typeof cell === 'number' ? String(cell) : cell
  })

async function collectingOf(ctx: Ctx, { filter }: Pick<Report, 'filter'>, asOf: Date): Promise<Collecting> {
  const { assetIds, period, simulation } = filter
  return {
    ctx,
    asOf,
    assetIds,
    assetCount: await store.countAssets(ctx, assetIds),
    period: period === undefined ? undefined : parsePeriod(period, asOf),
    places: await findPlaces(ctx),
    simulation,
  }
}

function scopeOf({ ctx, assetIds, assetCount }: Collecting): string {
  const within = ctx.actor.limitedTo === undefined ? '' : ` where ${ctx.actor.limitedTo}`
  if (assetIds === undefined) return within === '' ? 'all assets' : `assets${within}`
  return `${assetCount} chosen ${assetCount === 1 ? 'asset' : 'assets'}${within}`
}

async function notesOf(
  { ctx, asOf, assetIds, assetCount, period }: Collecting,
  { filter, type }: Pick<Report, 'filter' | 'type'>,
): Promise<string[]> {
  const unknown = assetIds ? assetIds.length - assetCount : 0
  return [
    ...(filter.period !== undefined && !period
      ? [`The period “${filter.period}” was not understood; nothing was left out because of it.`]
      : []),
    ...(period && reportKinds[type].isOfPeriod !== true
      ? ['The period changes no table of this type of report: they show the state at the time of the report.']
      : []),
    ...(unknown > 0
      ? [
          `${unknown} of the chosen ids are no assets of this organisation${isLimited(ctx) ? ', or not within the condition' : ''}.`,
        ]
      : []),
    ...(isLimited(ctx)
      ? [LIMITED]
      : await notesOnScans(ctx, period?.from ?? weekBefore(asOf), period?.until ?? asOf)),
  ]
}

const LIMITED =
  'Only assets within the condition of the role or key that made the report are in it. Scans, the audit log and the ' +
  'counts of past days are about all assets of the organisation and not shown; contracts, entitlements and prices are ' +
  'those of the whole organisation.'

const weekBefore = (at: Date): Date => new Date(at.getTime() - WEEK_MS)

async function notesOnScans(ctx: Ctx, from: Date, until: Date): Promise<string[]> {
  const failed = await store.countFailedScans(ctx, from, until)
  const unscanned = await store.countUnscannedTargets(ctx)
  return [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'scan' : 'scans'} failed in the period.`] : []),
    ...(unscanned > 0
      ? [`${unscanned} scan ${unscanned === 1 ? 'target was' : 'targets were'} never scanned to the end.`]
      : []),
  ]
}

export interface Preview {
  readonly scope: string
  /** What the report would not show. */
  readonly notes: readonly string[]
  readonly columns: readonly Column[]
  /** Of the main table, at most as many as are read at once. */
  readonly rows: readonly Row[]
}

/** The beginning of the main table, as the report would show it now. */
export async function previewDataset(ctx: Ctx, report: Pick<Report, 'type' | 'filter'>): Promise<Preview> {
  return ctx.db.transaction(async (db) => {
    const inner = { ...ctx, db }
    await store.readOneState(inner)
    const collecting = await collectingOf(inner, report, ctx.now())
    const kind = reportKinds[report.type]
    const notes = [...(await notesOf(collecting, report)), ...((await kind.notes?.(collecting)) ?? [])]
    const [main] = kind.sections(collecting)
    if (!main) throw new Error('a report without sections')
    const found: Row[] = []
    for await (const batch of main.rows) {
      found.push(...batch.map((row) => cellsOf(main.columns, row)))
      if (found.length >= PREVIEW_ROWS) break
    }
    return { scope: scopeOf(collecting), notes, columns: main.columns, rows: found }
  })
}
