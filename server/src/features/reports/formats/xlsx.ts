import { guarded } from '#platform/formats/csv.ts'
import type { About, Cell, Column, Row } from '../dataset/dataset.ts'
import type { OpenDataset, OpenSection } from '../dataset/open-dataset.ts'
import { styleOf, styles, HEADER_STYLE } from './xlsx-styles.ts'
import { contentTypes, packageRelations, workbook, workbookRelations } from './xlsx-workbook.ts'
import { xmlText } from './xml-text.ts'
import { zip, type ZipEntry } from './zip.ts'

/** Of a sheet (ECMA-376 has none; every program that opens one stops here), the header row left out. */
const ROWS_MAX = 1_048_575
const TEXT_LENGTH_MAX = 32_767
/** How many rows are measured for the width of a column. */
const MEASURED_ROWS = 500
const WIDTH = { min: 8, max: 60 }
const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A workbook (ECMA-376, transitional): a sheet for each section, the main one first, and at last what it is about. */
export function renderXlsx(dataset: OpenDataset): AsyncIterable<Uint8Array> {
  return zip(parts(dataset))
}

async function* parts({ about, sections }: OpenDataset): AsyncGenerator<ZipEntry> {
  const titles: string[] = []
  const sheet = (title: string, content: AsyncIterable<string>): ZipEntry => {
    titles.push(freeTitle(title, titles))
    return { name: `xl/worksheets/sheet${titles.length}.xml`, content }
  }
  for await (const section of sections) {
    const rows = batchesOf(section)
    for (let hasMore = true, isFirst = true; hasMore || isFirst; isFirst = false) {
      const part = { hasMore: false }
      yield sheet(section.head.title, sheetXml(section.head.columns, rows, part))
      hasMore = part.hasMore
    }
  }
  yield sheet('About', aboutXml(about))
  yield { name: 'xl/styles.xml', content: once(styles) }
  yield { name: 'xl/workbook.xml', content: once(workbook(titles)) }
  yield { name: 'xl/_rels/workbook.xml.rels', content: once(workbookRelations(titles.length)) }
  yield { name: '_rels/.rels', content: once(packageRelations) }
  yield { name: '[Content_Types].xml', content: once(contentTypes(titles.length)) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** At most 31 characters, none of `[]:*?/\`, no apostrophe at the ends, and not twice the same. */
function freeTitle(wanted: string, taken: readonly string[]): string {
  const plain = wanted.replaceAll(/[[\]:*?/\\]/g, ' ').replaceAll(/^'+|'+$/g, '')
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? '' : ` (${n})`
    const title = plain.slice(0, 31 - suffix.length) + suffix
    if (!taken.some((it) => it.toLowerCase() === title.toLowerCase())) return title
  }
}

/** The rows of a section, to be taken from by one sheet after the other. */
interface RowSource {
  /** At most so many; none at the end. */
  readonly take: (most: number) => Promise<readonly Row[]>
}

function batchesOf({ rows }: OpenSection): RowSource {
  const source = rows[Symbol.asyncIterator]()
  let waiting: readonly Row[] = []
  return {
    async take(most) {
      if (waiting.length === 0) {
        const next = await source.next()
        if (next.done) return []
        waiting = next.value
      }
      const taken = waiting.slice(0, most)
      waiting = waiting.slice(most)
      return taken
    },
  }
}

async function* sheetXml(
  columns: readonly Column[],
  source: RowSource,
  part: { hasMore: boolean },
): AsyncGenerator<string> {
  let batch = await source.take(ROWS_MAX)
  yield sheetStart(columns, batch.slice(0, MEASURED_ROWS))
  let count = 0
  while (batch.length > 0) {
    let text = ''
    for (const row of batch) text += rowXml(row, columns, (count += 1) + 1)
    yield text
    if (count === ROWS_MAX) break
    batch = await source.take(ROWS_MAX - count)
  }
  part.hasMore = count === ROWS_MAX
  const last = `${letters(columns.length - 1)}${count + 1}`
  yield `</sheetData><autoFilter ref="A1:${last}"/></worksheet>`
}

function sheetStart(columns: readonly Column[], sample: readonly Row[]): string {
  const cols = columns
    .map(
      (column, at) =>
        `<col min="${at + 1}" max="${at + 1}" width="${width(column, at, sample)}" customWidth="1"/>`,
    )
    .join('')
  const head = columns.map((it, at) => textCell(`${letters(at)}1`, headerText(it), HEADER_STYLE)).join('')
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols}</cols><sheetData><row r="1">${head}</row>`
}

/** Cells of times have none of a zone. */
const headerText = ({ title, kind }: Column): string => (kind === 'instant' ? `${title} (UTC)` : title)

function width(column: Column, at: number, sample: readonly Row[]): number {
  const longest = sample.reduce((most, row) => Math.max(most, String(row[at] ?? '').length), 0)
  const wanted = Math.max(headerText(column).length + 3, column.kind === 'instant' ? 20 : longest + 2)
  return Math.min(WIDTH.max, Math.max(WIDTH.min, wanted))
}

function rowXml(row: Row, columns: readonly Column[], n: number): string {
  let cells = ''
  for (let at = 0; at < row.length; at += 1) {
    const cell = row[at]
    const column = columns[at]
    if (cell !== null && cell !== undefined && column) cells += cellXml(`${letters(at)}${n}`, cell, column)
  }
  return `<row r="${n}">${cells}</row>`
}

function cellXml(ref: string, cell: Exclude<Cell, null>, { kind }: Column): string {
  const style = styleOf(kind)
  if (typeof cell === 'boolean') return `<c r="${ref}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (kind === 'integer' || kind === 'decimal') return `<c r="${ref}" s="${style}"><v>${cell}</v></c>`
  const day = kind === 'date' || kind === 'instant' ? serialDay(String(cell)) : undefined
  return day === undefined
    ? textCell(ref, guarded(String(cell)))
    : `<c r="${ref}" s="${style}"><v>${day}</v></c>`
}

/** Inline, so that no table of texts grows in memory. */
function textCell(ref: string, text: string, style?: number): string {
  // `_x0041_` would be read as an escape
  const plain = text.slice(0, TEXT_LENGTH_MAX).replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
  const styled = style === undefined ? '' : ` s="${style}"`
  return `<c r="${ref}" t="inlineStr"${styled}><is><t xml:space="preserve">${xmlText(plain)}</t></is></c>`
}

const DAY_MS = 86_400_000
/** Day 0 of serial numbers, as they count after February 1900 (ECMA-376 part 1, §18.17.4.1). */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const FIRST_DAY = 61

/** Undefined for what has no number: days before March 1900, which stay text. */
function serialDay(text: string): number | undefined {
  const day = (Date.parse(text) - DAY_ZERO) / DAY_MS
  // to the millisecond
  return day >= FIRST_DAY ? Math.round(day * DAY_MS) / DAY_MS : undefined
}

/** 0 is A, 26 is AA. */
function letters(at: number): string {
  const last = String.fromCodePoint(65 + (at % 26))
  return at < 26 ? last : letters(Math.floor(at / 26) - 1) + last
}

const ABOUT_COLUMNS: readonly Column[] = [
  { name: 'what', title: 'About this report', kind: 'text' },
  { name: 'is', title: ' ', kind: 'text' },
]

async function* aboutXml(about: About): AsyncGenerator<string> {
  const facts: [string, string][] = [
    ['Report', about.name],
    ['Organisation', about.organisation],
    ['Type', about.type],
    ['Scope', about.scope],
    ['As of (UTC)', about.asOf],
    ['Snapshot', about.snapshotId],
  ]
  if (about.period !== undefined) facts.push(['Period', about.period])
  for (const note of about.notes) facts.push(['Note', note])
  facts.push(['Times', 'All times are in UTC. An empty cell was not collected; that is not zero.'])
  yield sheetStart(ABOUT_COLUMNS, facts)
  yield facts.map((row, at) => rowXml(row, ABOUT_COLUMNS, at + 2)).join('')
  yield '</sheetData></worksheet>'
}
