import type { Column, Row, SectionHead } from '../dataset/dataset.ts'
import { headText, readableCell } from './cell-text.ts'
import { columnWidths } from './column-widths.ts'
import { lineHeight, MARGIN, RULE, type PdfFlow } from './pdf-flow.ts'
import { PdfTable } from './pdf-table.ts'
import { drawQrCode } from './qr-code.ts'
import type { StructureElement } from './structure.ts'

const ROW_HEIGHT = 11.2
const LABEL_WIDTH = 68
const GAP = 10
const ROW_HEADER = '/A<</O/Table/Scope/Row>>'
/** What stands in the heading or in a line of its own. */
const ELSEWHERE = new Set(['name', 'discrepancies'])
const BOXES = '☐ found     ☐ not found     ☐ differs     Date and signature: ______________________________'
/** 37 squares of a usual address, half a millimetre each. */
const QR_SIDE = 54
/** Of each detail, on paper. */
const DETAIL_ROWS_MAX = 15
const DETAIL_SPACE = 64
/** The id and the name of the asset, which the sheet is about. */
const COLUMNS_OF_ASSET = 2

export interface Detail {
  readonly head: SectionHead
  /** Those of this sheet. */
  readonly rows: readonly Row[]
}

export interface Sheet {
  readonly columns: readonly Column[]
  readonly row: Row
  /** Where a phone finds it. */
  readonly url?: string | undefined
  readonly details: readonly Detail[]
}

/** A sheet for a thing: its name, what is known of it in two columns, and boxes to tick at a stock-take. */
export function drawSheet(flow: PdfFlow, parent: StructureElement, sheet: Sheet): void {
  const textOf = (name: string): string => cellOf(sheet, name)
  const facts = sheet.columns.flatMap((column): Fact[] => {
    const text = textOf(column.name)
    return ELSEWHERE.has(column.name) || text === '' ? [] : [{ label: headText(column), text }]
  })
  const discrepancies = textOf('discrepancies')
  const height =
    Math.ceil(facts.length / 2) * ROW_HEIGHT +
    52 +
    (discrepancies === '' ? 0 : 3 * lineHeight(flow.styles.warning))
  const details = sheet.details.filter(({ rows }) => rows.length > 0)
  if (!flow.fits(height + (details.length > 0 ? DETAIL_SPACE : 0))) flow.newPage()
  const element = parent.child('Sect')
  const { page } = flow
  page.artifact(() => page.line({ x: MARGIN, y: flow.y }, { x: MARGIN + flow.width, y: flow.y }, RULE))
  flow.y += 5
  flow.paragraph(element, textOf('name') || textOf('id'), {
    type: 'H3',
    style: { ...flow.styles.bold, size: 10.5 },
    linesMax: 1,
  })
  drawFacts(flow, element, { facts, url: sheet.url })
  if (discrepancies !== '')
    flow.paragraph(element, `Differs: ${discrepancies}`, { style: flow.styles.warning, linesMax: 3 })
  flow.y += 3
  flow.paragraph(element, BOXES, { style: flow.styles.label, after: 6 })
  for (const detail of details) drawDetail(flow, element, detail)
  element.close()
}

function cellOf({ columns, row }: Sheet, name: string): string {
  const at = columns.findIndex((it) => it.name === name)
  const column = columns[at]
  return column ? readableCell(row[at] ?? null, column) : ''
}

interface Fact {
  readonly label: string
  readonly text: string
}

/** In two columns, beside the code for phones. */
function drawFacts(
  flow: PdfFlow,
  sheet: StructureElement,
  { facts, url }: { readonly facts: readonly Fact[]; readonly url: string | undefined },
): void {
  const top = flow.y
  const available = url === undefined ? flow.width : flow.width - QR_SIDE - GAP
  if (url !== undefined)
    drawQrCode(flow, sheet, url, {
      x: MARGIN + flow.width - QR_SIDE,
      y: top - 12,
      width: QR_SIDE,
      height: QR_SIDE,
    })
  if (facts.length > 0) drawFactTable(flow, sheet, { facts, width: (available - GAP) / 2 })
  if (url !== undefined) flow.y = Math.max(flow.y, top - 12 + QR_SIDE)
}

function drawFactTable(
  flow: PdfFlow,
  sheet: StructureElement,
  { facts, width }: { readonly facts: readonly Fact[]; readonly width: number },
): void {
  const table = sheet.child('Table')
  const half = Math.ceil(facts.length / 2)
  for (let at = 0; at < half; at += 1) {
    const row = table.child('TR')
    for (const [place, fact] of [facts[at], facts[at + half]].entries()) {
      const x = MARGIN + place * (width + GAP)
      cell(flow, row, fact === undefined ? 'TD' : 'TH', fact?.label ?? '', { x, width: LABEL_WIDTH })
      cell(flow, row, 'TD', fact?.text ?? '', { x: x + LABEL_WIDTH, width: width - LABEL_WIDTH })
    }
    row.close()
    flow.y += ROW_HEIGHT
  }
  table.close()
}

function cell(
  flow: PdfFlow,
  row: StructureElement,
  type: 'TH' | 'TD',
  ...[text, { x, width }]: [string, { readonly x: number; readonly width: number }]
): void {
  const element = row.child(type, type === 'TH' ? { entries: ROW_HEADER } : {})
  if (text !== '')
    flow.textIn(element, text, {
      type,
      style: type === 'TH' ? flow.styles.label : flow.styles.small,
      linesMax: 1,
      box: { x, y: flow.y, width, height: ROW_HEIGHT },
    })
  element.close()
}

const isSaid = (cell: Row[number] | undefined): boolean => cell !== null && cell !== undefined && cell !== ''

/** The first rows of a detail, below its title, in the columns of which they say something. */
function drawDetail(flow: PdfFlow, sheet: StructureElement, { head, rows }: Detail): void {
  const first = rows.slice(0, DETAIL_ROWS_MAX)
  const isShown = head.columns.map((_, at) => at >= COLUMNS_OF_ASSET && first.some((row) => isSaid(row[at])))
  const columns = head.columns.filter((_, at) => isShown[at])
  const shown = first.map((row) => row.filter((_, at) => isShown[at]))
  if (!flow.fits(DETAIL_SPACE)) flow.newPage()
  const part = sheet.child('Sect')
  const count = rows.length > 1 ? ` (${rows.length})` : ''
  flow.paragraph(part, `${head.title}${count}`, {
    type: 'H4',
    style: { ...flow.styles.bold, size: 8 },
    linesMax: 1,
    after: 1,
  })
  const widths = columnWidths(columns, shown, { styles: flow.styles, available: flow.width })
  const table = new PdfTable(flow, part, { columns, widths, isPlain: true })
  for (const row of shown) table.row(row)
  table.end()
  const rest = rows.length - shown.length
  if (rest > 0)
    flow.paragraph(part, `and ${rest} more, which Excel and XML have`, { style: flow.styles.label })
  part.close()
  flow.y += 6
}
