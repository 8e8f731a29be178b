import type { InstalledSoftware, OsRelease, SoftwareOrigin } from '#features/assets/observation.ts'
import { invalid } from '#platform/errors.ts'
import { documentFormats } from '../documents/all.ts'
import type { Content, DocumentFormat, SoftwareDocument, Subject } from '../documents/document.ts'
import { formats } from '../formats/all.ts'
import type { Format, Reading, ReadingTerms, Row } from '../formats/format.ts'
import { Rejections, type RejectionSummary } from '../running/rejections.ts'
import { asUtf8 } from './text-encoding.ts'

export type FormatKind = Format['kind'] | DocumentFormat['kind']

export interface FileTerms extends ReadingTerms {
  /** Told from the content unless given. */
  readonly format?: FormatKind | undefined
  /** How many rows and rejections at the beginning were taken before: they are read and skipped. */
  readonly skip?: number
}

/** What is read of a file, in its order; of a document first the items, then all else of it. */
export type Piece =
  | { readonly kind: 'format'; readonly format: FormatKind; readonly sourceName: string }
  | {
      readonly kind: 'rows'
      readonly rows: readonly Row[]
      readonly rejections: RejectionSummary
      /** Rows and rejections of the file so far. */
      readonly readings: number
    }
  | { readonly kind: 'items'; readonly items: readonly InstalledSoftware[] }
  | {
      readonly kind: 'document'
      readonly subject: Subject | undefined
      readonly release: OsRelease | undefined
      readonly complete: readonly SoftwareOrigin[]
      readonly rejections: RejectionSummary
    }

export const formatKinds: readonly FormatKind[] = [...formats, ...documentFormats].map(({ kind }) => kind)

/** The source of all documents of a kind: those of one thing are one observation. */
const DOCUMENTS = 'software import'
export const ROWS_PER_PIECE = 100
const REJECTIONS_PER_PIECE = 20_000
export const ITEMS_PER_PIECE = 2_000
/** Of a document, which is read more than once. */
const DOCUMENT_BYTES_MAX = 67_108_864

/** Reads a file, in memory that does not grow with it. Throws a `Refusal` when it cannot be taken as a whole. */
export async function* piecesOf(bytes: AsyncIterable<Uint8Array>, terms: FileTerms): AsyncIterable<Piece> {
  const { head, content } = await asUtf8(bytes)
  const format = formatOf(head, terms.format)
  if ('sourceName' in format) {
    yield { kind: 'format', format: format.kind, sourceName: format.sourceName }
    yield* inPieces(format.read(content, terms), terms.skip ?? 0)
  } else {
    yield { kind: 'format', format: format.kind, sourceName: DOCUMENTS }
    yield* documentPieces(await format.read(await heldContent(content)))
  }
}

/** The format that is named, or the one that the file begins like. */
export function formatOf(head: string, named?: string): Format | DocumentFormat {
  // a table may be anything, so it comes last
  const all = [...documentFormats, ...formats]
  const format = all.find((it) => (named === undefined ? it.recognises(head) : it.kind === named))
  if (format) return format
  if (named !== undefined) throw invalid('format', `is none of ${formatKinds.join(', ')}`)
  throw invalid('file', `is in none of the formats ${formatKinds.join(', ')}`)
}

async function* inPieces(readings: AsyncIterable<readonly Reading[]>, skip: number): AsyncIterable<Piece> {
  let rows: Row[] = []
  let rejections = new Rejections()
  let count = 0
  const piece = (): Piece => ({
    kind: 'rows',
    rows,
    rejections: { rejected: rejections.rejected, rejectedTotal: rejections.rejectedTotal },
    readings: count,
  })
  for await (const some of readings)
    for (const reading of some) {
      if (count++ < skip) continue
      if ('observation' in reading) rows.push(reading)
      else rejections.add(reading)
      if (rows.length < ROWS_PER_PIECE && rejections.rejectedTotal < REJECTIONS_PER_PIECE) continue
      yield piece()
      rows = []
      rejections = new Rejections()
    }
  if (rows.length + rejections.rejectedTotal > 0) yield piece()
}

async function heldContent(content: AsyncIterable<Buffer>): Promise<Content> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    length += chunk.length
    if (length > DOCUMENT_BYTES_MAX) throw invalid('file', `is longer than ${DOCUMENT_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return async function* () {
    yield* chunks
  }
}

function* documentPieces({ subject, report, rejections }: SoftwareDocument): Iterable<Piece> {
  for (let at = 0; at < report.items.length; at += ITEMS_PER_PIECE)
    yield { kind: 'items', items: report.items.slice(at, at + ITEMS_PER_PIECE) }
  const { rejected, rejectedTotal } = rejections
  const { release, complete } = report
  yield { kind: 'document', subject, release, complete, rejections: { rejected, rejectedTotal } }
}
