import type { Column, Row } from '../dataset/dataset.ts'
import { headText, readableCell } from './cell-text.ts'
import { lineHeight, MARGIN, RULE, type PdfFlow } from './pdf-flow.ts'
import type { StructureElement } from './structure.ts'

const ROW_HEIGHT = 11.2
const LABEL_WIDTH = 78
const GAP = 10
const ROW_HEADER = '/A<</O/Table/Scope/Row>>'
/** What stands in the heading or in a line of its own. */
const ELSEWHERE = new Set(['name', 'discrepancies'])
const BOXES = '☐ found     ☐ not found     ☐ differs     Date and signature: ______________________________'

interface Fact {
  readonly label: string
  readonly text: string
}

/** A sheet for a thing: its name, what is known of it in two columns, and boxes to tick at a stock-take. */
export function drawSheet(
  flow: PdfFlow,
  parent: StructureElement,
  columns: readonly Column[],
  row: Row,
): void {
  const textOf = (name: string): string => {
    const at = columns.findIndex((it) => it.name === name)
    const column = columns[at]
    return column ? readableCell(row[at] ?? null, column) : ''
  }
  const facts = columns.flatMap((column): Fact[] => {
    const text = textOf(column.name)
    return ELSEWHERE.has(column.name) || text === '' ? [] : [{ label: headText(column), text }]
  })
  const discrepancies = textOf('discrepancies')
  const height =
    Math.ceil(facts.length / 2) * ROW_HEIGHT +
    52 +
    (discrepancies === '' ? 0 : 3 * lineHeight(flow.styles.warning))
  if (!flow.fits(height)) flow.newPage()
  const sheet = parent.child('Sect')
  const { page } = flow
  page.artifact(() => page.line({ x: MARGIN, y: flow.y }, { x: MARGIN + flow.width, y: flow.y }, RULE))
  flow.y += 5
  flow.paragraph(sheet, textOf('name') || textOf('id'), {
    type: 'H3',
    style: { ...flow.styles.bold, size: 10.5 },
    linesMax: 1,
  })
  drawFacts(flow, sheet, facts)
  if (discrepancies !== '')
    flow.paragraph(sheet, `Differs: ${discrepancies}`, { style: flow.styles.warning, linesMax: 3 })
  flow.y += 3
  flow.paragraph(sheet, BOXES, { style: flow.styles.label, after: 6 })
  sheet.close()
}

function drawFacts(flow: PdfFlow, sheet: StructureElement, facts: readonly Fact[]): void {
  const table = sheet.child('Table')
  const width = (flow.width - GAP) / 2
  const half = Math.ceil(facts.length / 2)
  for (let at = 0; at < half; at += 1) {
    const row = table.child('TR')
    for (const [place, fact] of [facts[at], facts[at + half]].entries()) {
      const x = MARGIN + place * (width + GAP)
      cell(flow, row, 'TH', fact?.label ?? '', { x, width: LABEL_WIDTH })
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
  const element = row.child(type, type === 'TH' && text !== '' ? { entries: ROW_HEADER } : {})
  if (text !== '')
    flow.textIn(element, text, {
      type,
      style: type === 'TH' ? flow.styles.label : flow.styles.small,
      linesMax: 1,
      box: { x, y: flow.y, width, height: ROW_HEIGHT },
    })
  element.close()
}
