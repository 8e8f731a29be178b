import { rejectedAmong } from '#features/assets/assets.ts'
import type { InstalledSoftware } from '#features/assets/observation.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { withoutControlCharacters } from '#platform/validation/control-characters.ts'
import { shortened } from '#platform/validation/shortened.ts'
import type { Row } from '../formats/format.ts'
import type { Header } from '../columns/header.ts'
import type { ImportPreview, SampleRow } from '../import.ts'
import type { FormatKind, Piece } from '../parsing/reading.ts'
import { Rejections } from './rejections.ts'
import type { TableHead } from '../columns/table-head.ts'
import { rejectedCells } from './custom-cells.ts'
import { inLines } from './import-batches.ts'

const SAMPLE_ROWS = 20
const TEXT_LENGTH_MAX = 200

export interface Previewed {
  readonly format: FormatKind | undefined
  readonly preview: ImportPreview
}

/** What importing a file would bring and what it would not; nothing is written. A file that cannot be read is told. */
export async function previewOf(
  ctx: Ctx,
  pieces: AsyncIterable<Piece>,
  table?: { readonly head: TableHead; readonly header: Header },
): Promise<Previewed> {
  const seen: Seen = { rows: 0, sample: [], rejections: new Rejections(), isDocument: false }
  try {
    for await (const piece of pieces) await look(ctx, piece, seen)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    seen.problem = { field: error.extras.field ?? 'file', message: error.message }
  }
  const { rows, sample, rejections, isDocument, problem, subject, format } = seen
  const { rejected, rejectedTotal } = rejections
  const columns = table?.head.titles.map((title, place) => ({
    title: shown(title),
    column: table.header[place] ?? null,
    examples: table.head.examples[place] ?? [],
  }))
  return {
    format,
    preview: {
      rows,
      rejected,
      rejectedTotal,
      sample,
      isDocument,
      ...(problem && { problem }),
      ...(columns && { columns }),
      ...(subject !== undefined && { subject }),
    },
  }
}

interface Seen {
  format?: FormatKind
  rows: number
  isDocument: boolean
  subject?: string | undefined
  problem?: ImportPreview['problem']
  readonly sample: SampleRow[]
  readonly rejections: Rejections
}

async function look(ctx: Ctx, piece: Piece, seen: Seen): Promise<void> {
  const room = SAMPLE_ROWS - seen.sample.length
  if (piece.kind === 'format') seen.format = piece.format
  else if (piece.kind === 'rows') {
    const unrecorded = await rejectedCells(ctx, piece.rows)
    const refused = new Set(unrecorded.map(({ line }) => line))
    const rows = piece.rows.filter(({ line }) => !refused.has(line))
    const untaken = rejectedAmong(
      ctx,
      rows.map(({ observation }) => observation),
    )
    const bad = new Set(untaken.map(({ index }) => index))
    const good = rows.filter((_, index) => !bad.has(index))
    seen.rejections.addAll({ rejected: unrecorded, rejectedTotal: unrecorded.length })
    seen.rows += good.length
    seen.sample.push(...good.slice(0, room).map(sampleOf))
    seen.rejections.addAll(inLines(piece.rejections, rows, untaken))
  } else if (piece.kind === 'items') {
    seen.rows += piece.items.length
    seen.sample.push(...piece.items.slice(0, room).map(sampleOfItem))
  } else {
    seen.isDocument = true
    seen.subject = piece.subject && shown(piece.subject.name)
    seen.rejections.addAll(piece.rejections)
  }
}

function sampleOf({ line, observation }: Row): SampleRow {
  const { name, assetType, identifiers } = observation
  return {
    line,
    ...(name !== undefined && { name: shown(name) }),
    ...(assetType !== undefined && { type: assetType }),
    identifiers: identifiers.slice(0, 8).map(({ value }) => shown(value)),
  }
}

function sampleOfItem({ name, version, purl, origin }: InstalledSoftware, index: number): SampleRow {
  const identifiers = purl === undefined ? [] : [shown(purl)]
  return { line: index + 1, name: shown(name), type: origin, version: shown(version), identifiers }
}

/** What a file says before anything of it is checked, as a database can store it. */
const shown = (text: string): string =>
  shortened(withoutControlCharacters(text).toWellFormed(), TEXT_LENGTH_MAX)
