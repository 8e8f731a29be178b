import type { InstalledSoftware, Observation } from '#features/assets/observation.ts'
import { assetsOfKeys, submit } from '#features/sources/sources.ts'
import type { Rejected, Source } from '#features/sources/source.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { observationOf, type DocumentTerms } from './document-import.ts'
import type { Rejection, Row } from '../formats/format.ts'
import type { FormatKind, Piece } from '../parsing/reading.ts'
import { importCustom, rejectedCells } from './custom-cells.ts'
import { importRecorded } from './recorded-cells.ts'
import { Rejections, type RejectionSummary } from './rejections.ts'

/** What came of a file so far. */
export interface Tally {
  format?: FormatKind
  /** Rows and rejections of the file that were dealt with. */
  readings: number
  /** Rows that were taken: the sum of the three below. */
  observed: number
  created: number
  updated: number
  unchanged: number
  readonly rejections: Rejections
}

export const newTally = (): Tally => ({
  readings: 0,
  observed: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  rejections: new Rejections(),
})

interface Taking {
  /** The file's name. */
  readonly name: string
  readonly tally: Tally
  readonly terms: DocumentTerms & { readonly seenAt: Date }
  /** Called in the transaction of each batch, with what came of the file when it commits; a throw undoes the batch. */
  readonly note?: (ctx: Ctx, tally: Tally) => Promise<void>
}

/**
 * Takes what is read of a file, batch by batch: each is one transaction, and the tally is as of the last that was
 * committed. Taking the same again changes nothing, so a file may be taken from any earlier batch on.
 */
export async function takePieces(ctx: Ctx, pieces: AsyncIterable<Piece>, taking: Taking): Promise<void> {
  let source: Source = { kind: '', name: '' }
  const items: InstalledSoftware[] = []
  let document: Extract<Piece, { kind: 'document' }> | undefined
  for await (const piece of pieces) {
    if (piece.kind === 'format') {
      source = { kind: piece.format, name: piece.sourceName }
      taking.tally.format = piece.format
    } else if (piece.kind === 'items') items.push(...piece.items)
    else if (piece.kind === 'rows') await takeBatch(ctx, source, piece, taking)
    else document = piece
  }
  // the thread that read it has ended, and given its memory back
  if (!document) return
  const { subject, release, complete, rejections } = document
  const software = { complete, items, ...(release && { release }) }
  const observation = await observationOf(ctx, source, { subject, software }, taking.terms)
  await takeBatch(ctx, source, { rows: [{ line: 1, observation }], rejections, readings: 1 }, taking)
}

interface Batch {
  readonly rows: readonly Row[]
  readonly rejections: RejectionSummary
  readonly readings: number
}

async function takeBatch(
  ctx: Ctx,
  source: Source,
  { rows: all, rejections, readings }: Batch,
  { name, tally, note }: Taking,
): Promise<void> {
  const unrecorded = await rejectedCells(ctx, all)
  const refused = new Set(unrecorded.map(({ line }) => line))
  const rows = all.filter(({ line }) => !refused.has(line))
  await atomically(ctx, async (inner) => {
    if (unrecorded.length > 0)
      tally.rejections.addAll({ rejected: unrecorded, rejectedTotal: unrecorded.length })
    if (rows.length > 0) {
      const changedKeys = new Set<string>()
      const done = await submit(
        inner,
        source,
        rows.map(({ observation }) => observation),
        changedKeys,
      )
      const changed = new Set([
        ...(await importRecorded(inner, { source, name, rows })),
        ...(await importCustom(inner, source, rows)),
      ])
      const alone = await changedByRecordAlone(inner, source, { rows, changed, changedKeys })
      tally.observed += done.observed
      tally.created += done.created
      tally.updated += done.updated + alone
      tally.unchanged += done.unchanged - alone
      tally.rejections.addAll(inLines(rejections, rows, done.rejected))
    } else tally.rejections.addAll(rejections)
    tally.readings = readings
    await note?.(inner, tally)
  })
}

interface Changes {
  readonly rows: readonly Row[]
  /** The assets whose record or custom fields changed. */
  readonly changed: ReadonlySet<string>
  /** Of rows that made or changed an asset beside that. */
  readonly changedKeys: ReadonlySet<string>
}

/** How many rows changed nothing but what is recorded of their asset. */
async function changedByRecordAlone(
  ctx: Ctx,
  source: Source,
  { rows, changed, changedKeys }: Changes,
): Promise<number> {
  if (changed.size === 0) return 0
  const keys = rows.flatMap(({ recorded, custom, observation: { sourceKey } }) =>
    (recorded || custom) && !changedKeys.has(sourceKey) ? [sourceKey] : [],
  )
  const assets = await assetsOfKeys(ctx, source, keys)
  return keys.filter((key) => changed.has(assets.get(key) ?? '')).length
}

/** All that was refused of a batch, by whomever, in the order of the file. */
export function inLines(
  unread: RejectionSummary,
  rows: readonly Row[],
  untaken: readonly Rejected[],
): RejectionSummary {
  const found = untaken.map(({ index, field, message }): Rejection => {
    const row = rows[index]!
    return { line: row.line, field: nameOf(field, row.observation), message }
  })
  const rejected = [...unread.rejected, ...found].toSorted((a, b) => a.line - b.line)
  return { rejected, rejectedTotal: unread.rejectedTotal + found.length }
}

/** Identifiers have no places in a file: `identifiers[1].value` is called by its type. */
function nameOf(field: string, { identifiers }: Observation): string {
  const place = /^identifiers\[(\d+)\]/.exec(field)?.[1]
  return place === undefined ? field : (identifiers[Number(place)]?.type ?? field)
}
