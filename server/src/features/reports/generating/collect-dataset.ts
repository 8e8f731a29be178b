import { findPlaces } from '#features/records/records.ts'
import { fromReplica, isLimited, onOneState, type Ctx } from '#platform/context.ts'
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
import { permittedSections } from '../permissions/permitted-sections.ts'
import { printOptions } from '../printing/print-options.ts'
import * as store from './collecting-store.ts'
import { figureSection, type KeyFigures } from '../kinds/figures/key-figures.ts'
import type { Collecting, Section } from '../kinds/kind.ts'
import type { Report, ReportType } from '../report.ts'
import { openTable } from '../tables/open-table.ts'
import { refuseTooManySheets } from './sheet-limit.ts'

const WEEK_MS = 7 * 86_400_000
/** A preview reads no more once it has so many. */
const PREVIEW_ROWS = 2_000

export interface Collected extends Dataset {
  readonly takenAt: Date
}

interface Watching {
  readonly snapshotId: string
  readonly onRows: (rows: number) => Promise<void>
}

/** What the report shows, as one transaction sees the inventory. `onRows` is told how many rows there are so far. */
export async function collectDataset(ctx: Ctx, report: Report, watching: Watching): Promise<Collected> {
  return fromReplica(ctx, (there, asOf) =>
    collect(there, report, { ...watching, takenAt: asOf ?? ctx.now() }),
  )
}

async function collect(
  ctx: Ctx,
  report: Report,
  { snapshotId, onRows, takenAt }: Watching & { readonly takenAt: Date },
): Promise<Collected> {
  const organisation = await store.organisationName(ctx)
  const printing = await printOptions(ctx, report.format)
  const dataset = await onOneState(ctx, async (inner) => {
    const collecting = await collectingOf(inner, report, takenAt)
    refuseTooManySheets(report, collecting.assetCount)
    const { name, type, filter } = report
    const { sections, leftOut } = permittedSections(type, collecting)
    const notes = [...(await notesOf(collecting, report)), ...leftOutNotes(leftOut), ...printing.notes]
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
        ...leadOf(type, sections),
        assetUrl,
        ...printing.about,
      },
    })
    await addSections(writer, sections, { figures: reportKinds[type].figures?.(collecting), onRows })
    return writer.end()
  })
  return { ...dataset, takenAt }
}

async function addSections(
  writer: DatasetWriter,
  sections: readonly Section[],
  {
    figures,
    onRows,
  }: { readonly figures: KeyFigures | undefined; readonly onRows: (rows: number) => Promise<void> },
): Promise<void> {
  let count = 0
  for (const { rows, permission: _, ...section } of sections) {
    await writer.add({ section })
    const see = figures?.see[section.name]
    for await (const batch of rows) {
      for (const row of batch) {
        see?.(row)
        await writer.add({ row: cellsOf(section.columns, row) })
      }
      count += batch.length
      await onRows(count)
    }
  }
  const found = figures?.figures(new Set(sections.map(({ name }) => name))) ?? []
  if (found.length === 0) return
  await writer.add({ section: figureSection })
  for (const each of found) await writer.add({ row: cellsOf(figureSection.columns, { ...each }) })
}

/** Print begins with the section that the kind says, unless it is left out. */
function leadOf(type: ReportType, sections: readonly Section[]): { leads?: string } {
  const { leads } = reportKinds[type]
  return leads !== undefined && sections.some(({ name }) => name === leads) ? { leads } : {}
}

const cellsOf = (columns: readonly Column[], row: Readonly<Record<string, Cell | undefined>>): Row =>
  columns.map(({ name, kind }) => {
    const cell = row[name] ?? null
    return kind === 'decimal' && typeof cell === 'number' ? String(cell) : cell
  })

async function collectingOf(ctx: Ctx, { filter }: Pick<Report, 'filter'>, asOf: Date): Promise<Collecting> {
  const { where, period, simulation, table } = filter
  const assetIds = where === undefined ? await livingChosen(ctx, filter) : await store.assetsWhere(ctx, where)
  return {
    ctx,
    where,
    asOf,
    assetIds,
    assetCount: await store.countAssets(ctx, assetIds),
    period: period === undefined ? undefined : parsePeriod(period, asOf),
    places: await findPlaces(ctx),
    simulation,
    table: table && (await openTable(ctx, table)),
  }
}

const livingChosen = async (ctx: Ctx, { assetIds }: Report['filter']) =>
  assetIds && store.livingAmong(ctx, assetIds)

function scopeOf({ ctx, where, assetIds, assetCount }: Collecting): string {
  const within = ctx.actor.limitedTo === undefined ? '' : ` where ${ctx.actor.limitedTo}`
  if (assetIds === undefined) return within === '' ? 'all assets' : `assets${within}`
  if (where !== undefined)
    return `${assetCount} ${assetCount === 1 ? 'asset' : 'assets'} where ${where}${within && `,${within}`}`
  return `${assetCount} chosen ${assetCount === 1 ? 'asset' : 'assets'}${within}`
}

const leftOutNotes = (titles: readonly string[]): string[] =>
  titles.length === 0 ? [] : [`Left out, because who made the report may not read it: ${titles.join(', ')}.`]

async function notesOf(
  collecting: Collecting,
  { filter, type }: Pick<Report, 'filter' | 'type'>,
): Promise<string[]> {
  const { ctx, asOf, assetCount, period } = collecting
  const unknown = (filter.assetIds?.length ?? assetCount) - assetCount
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
      : await notesOnScans(collecting, period?.from ?? weekBefore(asOf), period?.until ?? asOf)),
    ...((await reportKinds[type].notes?.(collecting)) ?? []),
  ]
}

const LIMITED =
  'Only assets within the condition of the role or key that made the report are in it. Scans, the audit log and the ' +
  'counts of past days are about all assets of the organisation and not shown; contracts, entitlements and prices are ' +
  'those of the whole organisation.'

const weekBefore = (at: Date): Date => new Date(at.getTime() - WEEK_MS)

async function notesOnScans({ ctx, assetIds }: Collecting, from: Date, until: Date): Promise<string[]> {
  const failed = await store.countFailedScans(ctx, from, until)
  const unscanned = await store.countUnscannedTargets(ctx)
  const whose = assetIds === undefined ? '' : ' of the whole organisation'
  return [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'scan' : 'scans'}${whose} failed in the period.`] : []),
    ...(unscanned > 0
      ? [`${unscanned} scan ${unscanned === 1 ? 'target' : 'targets'}${whose} never scanned to the end.`]
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
  /** Titles of the parts that the contents of the report would name. */
  readonly parts: readonly string[]
}

/** The beginning of the main table, as the report would show it now. */
export async function previewDataset(ctx: Ctx, report: Pick<Report, 'type' | 'filter'>): Promise<Preview> {
  return fromReplica(ctx, (there) => preview(there, report))
}

function preview(ctx: Ctx, report: Pick<Report, 'type' | 'filter'>): Promise<Preview> {
  return onOneState(ctx, async (inner) => {
    const collecting = await collectingOf(inner, report, ctx.now())
    const { sections, leftOut } = permittedSections(report.type, collecting)
    const notes = [...(await notesOf(collecting, report)), ...leftOutNotes(leftOut)]
    const [main] = sections
    if (!main) throw new Error('a report without sections')
    const found: Row[] = []
    for await (const batch of main.rows) {
      found.push(...batch.map((row) => cellsOf(main.columns, row)))
      if (found.length >= PREVIEW_ROWS) break
    }
    const parts = sections.flatMap(({ of, title }) => (of === undefined ? [title] : []))
    return { scope: scopeOf(collecting), notes, columns: main.columns, rows: found, parts }
  })
}
