import { findPlaces } from '#features/records/records.ts'
import type { Ctx } from '#platform/context.ts'
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
        ...(assetUrl !== undefined && { assetUrl }),
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

async function collectingOf(ctx: Ctx, { filter }: Report, asOf: Date): Promise<Collecting> {
  const { assetIds, period } = filter
  return {
    ctx,
    asOf,
    assetIds,
    assetCount: await store.countAssets(ctx, assetIds),
    period: period === undefined ? undefined : parsePeriod(period, asOf),
    places: await findPlaces(ctx),
  }
}

function scopeOf({ assetIds, assetCount }: Collecting): string {
  if (assetIds === undefined) return 'all assets'
  return `${assetCount} chosen ${assetCount === 1 ? 'asset' : 'assets'}`
}

async function notesOf(
  { ctx, asOf, assetIds, assetCount, period }: Collecting,
  { filter }: Report,
): Promise<string[]> {
  const from = period?.from ?? new Date(asOf.getTime() - WEEK_MS)
  const failed = await store.countFailedScans(ctx, from, period?.until ?? asOf)
  const unscanned = await store.countUnscannedTargets(ctx)
  const unknown = assetIds ? assetIds.length - assetCount : 0
  return [
    ...(filter.period !== undefined && !period
      ? [`The period “${filter.period}” was not understood; nothing was left out because of it.`]
      : []),
    ...(unknown > 0 ? [`${unknown} of the chosen ids are no assets of this organisation.`] : []),
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'scan' : 'scans'} failed in the period.`] : []),
    ...(unscanned > 0
      ? [`${unscanned} scan ${unscanned === 1 ? 'target was' : 'targets were'} never scanned to the end.`]
      : []),
  ]
}
