/** Imports: files of what people know they have, brought in through the same intake as every other sighting. */
import { record } from '#features/audit/audit.ts'
import { rejectedAmong } from '#features/assets/assets.ts'
import { submit, type Rejected, type Source } from '#features/sources/sources.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { readDocument, type DocumentTerms } from './document-import.ts'
import { documentFormats } from './documents/all.ts'
import type { DocumentFormat } from './documents/document.ts'
import { formats } from './formats/all.ts'
import type { Format, Reading, Rejection, Row } from './formats/format.ts'
import { asUtf8 } from './unicode.ts'

export interface FileToImport extends DocumentTerms {
  /** For the audit log. */
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
  /** One of `formatNames`; told from the content unless given. */
  readonly format?: string | undefined
  /** Leaves unknown columns out instead of refusing the file. */
  readonly ignoreUnknown?: boolean
}

export interface ImportResult {
  /** Rows that were taken. */
  readonly observed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Everything of the file that was not taken, in its order. */
  readonly rejected: readonly Rejection[]
}

export const formatNames: readonly string[] = [...formats, ...documentFormats].map((format) => format.kind)
const ROWS_PER_BATCH = 1_000
const SAMPLE_ROWS = 20

/**
 * Takes every good row and lists every bad one. Refuses the whole file only when it cannot be understood at all,
 * before anything was taken. Batches are committed one by one: what a crash cuts short, the same file completes.
 */
export async function importFile(ctx: Ctx, file: FileToImport): Promise<ImportResult> {
  permit(ctx, 'imports:write')
  const { format, sourceName, readings } = await open(ctx, file)
  const totals = { observed: 0, created: 0, updated: 0, unchanged: 0 }
  const rejected: Rejection[] = []
  for await (const batch of inBatches(readings)) {
    const done = await take(ctx, { kind: format.kind, name: sourceName }, batch)
    totals.observed += done.observed
    totals.created += done.created
    totals.updated += done.updated
    totals.unchanged += done.unchanged
    for (const each of done.rejected) rejected.push(each)
  }
  await atomically(ctx, (ctx) =>
    record(
      ctx,
      'import.finished',
      { type: 'file', id: file.name },
      { format: format.kind, ...totals, rejected: rejected.length },
    ),
  )
  return { ...totals, rejected }
}

export interface ImportPreview {
  readonly format: string
  /** Rows that would be taken. */
  readonly rows: number
  /** The first of them. */
  readonly sample: readonly Row[]
  readonly rejected: readonly Rejection[]
}

/** What `importFile` would take and what it would not, before anything is written. */
export async function previewImport(ctx: Ctx, file: FileToImport): Promise<ImportPreview> {
  permit(ctx, 'imports:write')
  const { format, readings } = await open(ctx, file)
  const sample: Row[] = []
  const rejected: Rejection[] = []
  let rows = 0
  for await (const batch of inBatches(readings)) {
    const taken = batch.filter((reading) => 'observation' in reading)
    const untaken = rejectedAmong(
      ctx,
      taken.map((row) => row.observation),
    )
    const bad = new Set(untaken.map(({ index }) => index))
    const good = taken.filter((_, index) => !bad.has(index))
    rows += good.length
    sample.push(...good.slice(0, SAMPLE_ROWS - sample.length))
    for (const each of inLines(batch, taken, untaken)) rejected.push(each)
  }
  return { format: format.kind, rows, sample, rejected }
}

interface Opened {
  readonly format: Format | DocumentFormat
  readonly sourceName: string
  readonly readings: AsyncIterable<Reading>
}

async function open(ctx: Ctx, file: FileToImport): Promise<Opened> {
  const { head, content } = await asUtf8(file.content)
  const format = file.format === undefined ? recognise(head) : formatNamed(file.format)
  if (!('sourceName' in format)) {
    return {
      format,
      sourceName: DOCUMENTS,
      readings: documentReadings(ctx, format, { content, terms: file }),
    }
  }
  const terms = { now: ctx.now(), ignoreUnknown: file.ignoreUnknown ?? false }
  return { format, sourceName: format.sourceName, readings: format.read(content, terms) }
}

/** The one source of all documents of a kind: those of one thing are one observation. */
const DOCUMENTS = 'software import'

async function* documentReadings(
  ctx: Ctx,
  ...[format, file]: readonly [
    DocumentFormat,
    { readonly content: AsyncIterable<Buffer>; readonly terms: DocumentTerms },
  ]
): AsyncIterable<Reading> {
  const { observation, rejected } = await readDocument(ctx, format, file)
  yield { line: 1, observation }
  yield* rejected
}

function recognise(head: string): Format | DocumentFormat {
  // a table may be anything
  const format = [...documentFormats, ...formats].find((each) => each.recognises(head))
  if (!format) throw invalid('file', `is in none of the formats ${formatNames.join(', ')}`)
  return format
}

function formatNamed(name: string): Format | DocumentFormat {
  const format = [...formats, ...documentFormats].find((each) => each.kind === name)
  if (!format) throw invalid('format', `is none of ${formatNames.join(', ')}`)
  return format
}

async function* inBatches(readings: AsyncIterable<Reading>): AsyncIterable<readonly Reading[]> {
  let batch: Reading[] = []
  for await (const reading of readings) {
    batch.push(reading)
    if (batch.length < ROWS_PER_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function take(ctx: Ctx, source: Source, batch: readonly Reading[]): Promise<ImportResult> {
  const rows = batch.filter((reading) => 'observation' in reading)
  const done = await submit(
    ctx,
    source,
    rows.map((row) => row.observation),
  )
  return { ...done, rejected: inLines(batch, rows, done.rejected) }
}

/** All that was refused of a batch, by whomever, in the order of the file. */
function inLines(batch: readonly Reading[], rows: readonly Row[], untaken: readonly Rejected[]): Rejection[] {
  const unread = batch.filter((reading) => 'message' in reading)
  const found = untaken.map(({ index, field, message }): Rejection => {
    const row = rows[index]!
    return { line: row.line, field: nameOf(field, row), message }
  })
  return [...unread, ...found].toSorted((a, b) => a.line - b.line)
}

/** Identifiers have no places in a file: `identifiers[1].value` is called by its type. */
function nameOf(field: string, row: Row): string {
  const place = /^identifiers\[(\d+)\]/.exec(field)?.[1]
  return place === undefined ? field : (row.observation.identifiers[Number(place)]?.type ?? field)
}
