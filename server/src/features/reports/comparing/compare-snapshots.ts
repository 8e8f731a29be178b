import { permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import * as chunkStore from '../chunk-store.ts'
import type { Row } from '../dataset/dataset.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import type { Snapshot } from '../report.ts'
import * as store from '../store.ts'
import { compareRows, type Comparison, type MainTable } from './compare-rows.ts'

/** Of a main table, which is in memory while it is compared. */
const ROWS_MAX = 200_000

/**
 * What the later snapshot of a report has and the earlier does not, and the other way round. Refuses snapshots of two
 * reports, and those whose dataset was removed.
 */
export async function compareSnapshots(ctx: Ctx, fromId: string, toId: string): Promise<Comparison> {
  permit(ctx, 'reports:read')
  const [from, to] = [await snapshotOf(ctx, fromId), await snapshotOf(ctx, toId)]
  if (from.reportId !== to.reportId) throw invalid('to', 'must be a snapshot of the same report')
  return compareRows(await mainTable(ctx, from), await mainTable(ctx, to))
}

async function snapshotOf(ctx: Ctx, id: string): Promise<Snapshot> {
  const snapshot = isUuid(id) ? await store.snapshot(ctx, id) : undefined
  if (!snapshot || snapshot.status !== 'available') throw notFound('snapshot')
  return snapshot
}

async function mainTable(ctx: Ctx, { id, rowCount }: Snapshot): Promise<MainTable> {
  if ((rowCount ?? 0) > ROWS_MAX) throw conflict(`more than ${ROWS_MAX} rows are not compared`)
  const content = await chunkStore.readPart(ctx, id, 'dataset')
  if (content.length === 0)
    throw conflict('its dataset was removed; those of 90 days, and of pinned snapshots, stay')
  const { sections } = await openDataset(content, '')
  for await (const { head, rows } of sections) {
    const all: Row[] = []
    for await (const batch of rows) all.push(...batch)
    return { section: head.name, columns: head.columns, rows: all }
  }
  throw new Error(`the dataset of snapshot ${id} has no section`)
}
