import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createDeflate, createInflate } from 'node:zlib'
import type { FontFile } from '../printing/operator-fonts.ts'
import type { PaperName } from '../printing/paper-name.ts'
import type { ReportType } from '../report.ts'

/**
 * What a snapshot shows, as lines of JSON: one that says what the report is about, then for each section its head and
 * its rows. All formats are made from it, so that they say the same.
 */
export type DatasetLine =
  | { readonly about: About }
  | { readonly section: SectionHead }
  /** Of the section before it: a cell for each column. */
  | { readonly row: Row }

export interface About {
  readonly name: string
  readonly organisation: string
  readonly type: ReportType
  readonly snapshotId: string
  /** RFC 3339: the state of the inventory that is shown. */
  readonly asOf: string
  /** Of what, in words. */
  readonly scope: string
  /** As it was given. */
  readonly period?: string
  /** What a reader has to know, for example what the report does not show. */
  readonly notes: readonly string[]
  /** Followed by the id of an asset: where people and their phones find it. Absent: no address is known. */
  readonly assetUrl?: string
  /** The section with which print begins; its first rows stand on the cover. */
  readonly leads?: string
  /** Of a PDF; absent: A4. */
  readonly paper?: PaperName
  /** Of a PDF: fonts of the operator for characters that those of the product do not have. */
  readonly fonts?: readonly FontFile[]
}

export interface SectionHead {
  /** An XML NCName, unique in the report. */
  readonly name: string
  readonly title: string
  /** The table that a CSV file holds; the first section of a report. */
  readonly isMain?: boolean
  readonly columns: readonly Column[]
  /** Stands above the table. */
  readonly note?: string
  /** What a table without rows says to a reader. */
  readonly empty?: string
  readonly chart?: Chart
  /**
   * In print each row is a sheet, a box of a drawing (`links/drawing-rows.ts`), or a figure on the cover
   * (`kinds/figures/key-figures.ts`), instead of a line of a table.
   */
  readonly layout?: 'sheets' | 'drawings' | 'figures'
  /** The section with drawings of this one, which in print stands before it. */
  readonly pictured?: string
  /**
   * The section of sheets whose rows these belong to: the first column has the first one of such a row, the second its
   * name, and the rows stand in the order of those. In print they are on its sheet.
   */
  readonly of?: string
  /** Of sheets: the sections that belong to its rows. */
  readonly details?: readonly string[]
  /** In print the columns of counts are added up. */
  readonly isSummed?: true
  /** In print a column of amounts is added up, for each currency that stands in another column. */
  readonly sum?: { readonly amount: string; readonly currency: string }
}

/** A picture of a section, above its table. `label`, `value` and the like are names of its columns. */
export interface Chart {
  /** `bars`: one for each row. `line`: a point for each. `stacked`: a bar for each label, a part of it for each series. */
  readonly kind: 'bars' | 'line' | 'stacked'
  readonly label: string
  readonly value: string
  /** A second bar below the first. Each row then has a scale of its own, since units of rows may differ. */
  readonly second?: string
  /** Of stacked bars: what their parts are. */
  readonly series?: string
  /** Such as a currency: a picture for each, since values of different ones are neither added nor compared. */
  readonly unit?: string
  /** Of bars: rows follow each other in time, and all of them are shown. */
  readonly isTimeSeries?: true
  /** Of bars: values add up, so that the rows beyond the first ones are one bar. */
  readonly isSummable?: true
}

/** `decimal` is a decimal number as text, so that no digit is lost; `date` is YYYY-MM-DD; `instant` is RFC 3339. */
export type ColumnKind = 'text' | 'integer' | 'decimal' | 'instant' | 'date' | 'yesno'

export interface Column {
  /** An XML NCName. */
  readonly name: string
  readonly title: string
  readonly kind: ColumnKind
  /** Its texts are words of the API, such as `in_use`, which print writes with blanks. */
  readonly isCode?: true
  /** For other programs: left out in print. */
  readonly isNotPrinted?: true
}

/** Null: not collected. */
export type Cell = string | number | boolean | null
export type Row = readonly Cell[]

export interface Dataset {
  /** Deflated (RFC 1950). */
  readonly content: Buffer<ArrayBuffer>
  /** SHA-256 of the lines. */
  readonly digest: Buffer
  /** Of the main section. */
  readonly rowCount: number
}

/** Fixed, so that the same lines are the same bytes. */
const DEFLATE_LEVEL = 6
const BUFFERED_MAX = 262_144
/** Deflated; what is larger belongs in a database of its own. */
const BYTES_MAX = 268_435_456

export class DatasetTooLarge extends Error {}

export interface DatasetWriter {
  readonly add: (line: DatasetLine) => Promise<void>
  readonly end: () => Promise<Dataset>
}

export function writeDataset(): DatasetWriter {
  const digest = createHash('sha256')
  const deflate = createDeflate({ level: DEFLATE_LEVEL })
  const chunks: Buffer[] = []
  let [buffered, length, rowCount, isInMain] = ['', 0, 0, false]
  deflate.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
  })
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(buffered)
    buffered = ''
    digest.update(bytes)
    if (!deflate.write(bytes)) await once(deflate, 'drain')
    if (length > BYTES_MAX) throw new DatasetTooLarge('the report is larger than 256 MB')
  }
  return {
    async add(line) {
      if ('section' in line) isInMain = line.section.isMain === true
      if ('row' in line && isInMain) rowCount += 1
      buffered += `${JSON.stringify(line)}\n`
      if (buffered.length > BUFFERED_MAX) await flush()
    },
    async end() {
      await flush()
      const ended = once(deflate, 'end')
      deflate.end()
      await ended
      const content = Buffer.concat(chunks)
      chunks.length = 0
      return { content, digest: digest.digest(), rowCount }
    },
  }
}

/** SHA-256 of the lines, hexadecimal. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const inflate = createInflate()
  inflate.end(content)
  const digest = createHash('sha256')
  for await (const bytes of inflate as AsyncIterable<Buffer>) digest.update(bytes)
  return digest.digest('hex')
}
