import type { Row, SectionHead } from '../../dataset/dataset.ts'
import type { OpenSection } from '../../dataset/open-dataset.ts'
import { boxOfRow } from '../../links/drawing-rows.ts'
import type { DrawnBox } from '../../links/network-drawing.ts'
import { columnWidths } from '../column-widths.ts'
import { drawBoxes, pageOf } from './draw-boxes.ts'
import type { PdfFlow } from '../pdf-flow.ts'
import type { Paper } from '../paper.ts'
import type { PageSize } from '../pdf-page.ts'
import { PdfTable } from '../pdf-table.ts'
import type { StructureElement } from '../structure.ts'

/** The columns of the table below a drawing. */
const LISTED = ['box', 'name', 'crossings', 'elsewhere', 'goes_on', 'holds', 'members']
const DRAWN_SPACE = 140

/** Boxes of one drawing, as rows of their section. */
export type Drawing = readonly Row[]

/** All rows of a section of drawings: there are fewer boxes than things that hang on them. */
export async function readDrawings({ head, rows }: OpenSection): Promise<Drawing[]> {
  const at = head.columns.findIndex(({ name }) => name === 'drawing')
  const drawings: Row[][] = []
  for await (const batch of rows)
    for (const row of batch) {
      const last = drawings.at(-1)
      if (last?.[0]?.[at] === row[at]) last?.push(row)
      else drawings.push([row])
    }
  return drawings
}

export function drawingSize({ columns }: SectionHead, drawing: Drawing | undefined, paper: Paper): PageSize {
  if (!drawing) return paper.landscape
  return pageOf(
    drawing.map((row) => boxOfRow(columns, row)),
    paper,
  )
}

/** A page for each drawing, and below it what its boxes hold. */
export function writeDrawings(
  flow: PdfFlow,
  part: StructureElement,
  { head, drawings }: { readonly head: SectionHead; readonly drawings: readonly Drawing[] },
): void {
  drawings.forEach((rows, at) => {
    const size = drawingSize(head, rows, flow.document.paper)
    // the first one stands below the heading of the section
    if (at > 0) flow.newPage(size)
    const boxes = rows.map((row) => boxOfRow(head.columns, row))
    drawPage(flow, part, boxes)
    listBoxes(flow, part, { head, rows })
  })
  if (drawings.length === 0) flow.paragraph(part, head.empty ?? '', { style: flow.styles.label })
}

function drawPage(flow: PdfFlow, part: StructureElement, boxes: readonly DrawnBox[]): void {
  const title = `Drawing ${boxes[0]?.drawing ?? 0}: ${boxes[0]?.title ?? ''}`
  const style = { ...flow.styles.bold, size: 11 }
  flow.paragraph(part, title, { type: 'H3', style, linesMax: 1, after: 8 })
  drawBoxes(flow, part, boxes)
}

/** Boxes that hold something, or are linked across, with their names: a drawing says it in fewer words. */
function listBoxes(
  flow: PdfFlow,
  part: StructureElement,
  { head, rows }: { readonly head: SectionHead; readonly rows: readonly Row[] },
): void {
  const isIn = (name: string) => head.columns.findIndex((it) => it.name === name)
  const more = ['crossings', 'elsewhere', 'goes_on', 'holds'].map(isIn)
  const told = rows.filter((row) => more.some((at) => (row[at] ?? null) !== null))
  if (told.length === 0) return
  const listed = head.columns.map(
    ({ name }, at) => LISTED.includes(name) && told.some((row) => (row[at] ?? null) !== null),
  )
  const columns = head.columns.filter((_, at) => listed[at])
  const cells = told.map((row) => row.filter((_, at) => listed[at]))
  if (!flow.fits(DRAWN_SPACE)) flow.newPage()
  const widths = columnWidths(columns, cells, { styles: flow.styles, available: flow.width })
  const table = new PdfTable(flow, part, { columns, widths })
  for (const row of cells) table.row(row)
  table.end()
}
