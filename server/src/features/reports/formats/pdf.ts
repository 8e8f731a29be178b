import type { Row, SectionHead } from '../dataset/dataset.ts'
import type { OpenDataset, OpenSection } from '../dataset/open-dataset.ts'
import { columnWidths } from '../pdf/column-widths.ts'
import { drawingSize, readDrawings, writeDrawings, type Drawing } from '../pdf/drawings/drawing-pages.ts'
import { detailReaders } from '../pdf/detail-reader.ts'
import { drawChart } from '../pdf/charts/draw-chart.ts'
import { OtherFonts } from '../pdf/fonts/other-fonts.ts'
import { drawCover, type Figure, type Part } from '../pdf/pdf-cover.ts'
import { PdfDocument } from '../pdf/pdf-document.ts'
import type { Destination } from '../pdf/pdf-link.ts'
import { MARGIN, PdfFlow, RULE } from '../pdf/pdf-flow.ts'
import { a4, letter, type Paper } from '../pdf/paper.ts'
import type { PageSize, PdfPage } from '../pdf/pdf-page.ts'
import { drawSheet, type Detail } from '../pdf/pdf-sheets.ts'
import { PdfTable } from '../pdf/pdf-table.ts'
import type { StructureElement } from '../pdf/structure.ts'
import { breakLines } from '../pdf/text-lines.ts'

/** So many rows say how wide columns are and what a picture shows. */
const SAMPLE_ROWS = 500
const PORTRAIT_COLUMNS_MAX = 6
/** A heading is never the last thing on a page. */
const HEADING_SPACE = 120
/** Of a part that begins with a chart, which is drawn when its first rows are known. */
const CHART_SPACE = 310

/** Pages to print and to file: PDF/A-2a and PDF/UA-1. The cover comes first and is drawn last, when all is known. */
export async function* renderPdf(
  dataset: OpenDataset,
  fonts: readonly (() => Uint8Array)[] = [],
): AsyncGenerator<Uint8Array> {
  const { about, sections, digest } = dataset
  const paper = about.paper === 'letter' ? letter : a4
  const document = new PdfDocument({ paper, otherFonts: new OtherFonts(fonts) })
  const cover = new PdfFlow(document, paper.portrait)
  const coverElement = document.root.child('Sect')
  const parts: Part[] = []
  const figures: Figure[] = []
  let flow: PdfFlow | undefined
  for await (const each of sections) {
    // it stands on the sheets of another
    if (each.head.of !== undefined || each.head.layout === 'drawings') continue
    const pictures = each.head.pictured === undefined ? undefined : await dataset.section(each.head.pictured)
    if (pictures) {
      const drawings = await readDrawings(pictures)
      flow = flowFor(document, flow, {
        size: drawingSize(pictures.head, drawings[0], paper),
        space: HEADING_SPACE,
      })
      writeDrawingSection({ flow, parts }, pictures.head, drawings)
    }
    const section = printed(each)
    const space = section.head.chart ? CHART_SPACE : HEADING_SPACE
    flow = flowFor(document, flow, { size: sizeOf(section.head, paper), space })
    yield* writeSection({ dataset, flow, parts, figures }, section)
  }
  if (flow) document.closePage(flow.page)
  drawCover(cover, coverElement, { about, digest, parts, figures })
  coverElement.close()
  document.closePage(cover.page)
  const metadata = { title: about.name, createdAt: about.asOf, digest }
  document.finish(metadata, (page, n, of) => drawFooter(cover, page, `${about.name} · page ${n} of ${of}`))
  yield* document.objects.take()
}

function flowFor(
  document: PdfDocument,
  flow: PdfFlow | undefined,
  { size, space }: { readonly size: PageSize; readonly space: number },
): PdfFlow {
  if (!flow) return new PdfFlow(document, size)
  if (flow.page.size !== size || !flow.fits(space)) flow.newPage(size)
  return flow
}

/** Without the columns that are for other programs. */
function printed({ head, rows }: OpenSection): OpenSection {
  const isShown = head.columns.map((it) => it.isNotPrinted !== true)
  if (isShown.every(Boolean)) return { head, rows }
  const columns = head.columns.filter((_, at) => isShown[at])
  return { head: { ...head, columns }, rows: shownCells(rows, isShown) }
}

async function* shownCells(
  rows: OpenSection['rows'],
  isShown: readonly boolean[],
): AsyncGenerator<readonly Row[]> {
  for await (const batch of rows) yield batch.map((row) => row.filter((_, at) => isShown[at]))
}

const sizeOf = ({ columns, layout }: SectionHead, { portrait, landscape }: Paper): PageSize =>
  layout === 'sheets' || columns.length <= PORTRAIT_COLUMNS_MAX ? portrait : landscape

interface Writing {
  readonly dataset: OpenDataset
  readonly flow: PdfFlow
  readonly parts: Part[]
  readonly figures: Figure[]
}

async function* writeSection(
  { dataset, flow, parts, figures }: Writing,
  { head, rows }: OpenSection,
): AsyncGenerator<Uint8Array> {
  const { document } = flow
  const { part, at } = begin(flow, head)
  const body = new SectionBody(flow, part, head)
  const details = await detailReaders(dataset, head.details)
  const { assetUrl } = dataset.about
  for await (const batch of rows) {
    for (const row of batch) {
      if (head.layout !== 'sheets') body.add(row)
      else {
        const id = String(row[0])
        const found = await Promise.all(details.map((it) => it.of(id)))
        body.addSheet(row, found, assetUrl === undefined ? undefined : assetUrl + id)
      }
    }
    yield* document.objects.take()
  }
  body.end()
  part.close()
  parts.push({ title: head.title, rows: body.count, at })
  figures.push(...body.figures())
  flow.y += 18
}

/** The heading of a section, with its entry in the outline. */
function begin(flow: PdfFlow, head: SectionHead): { part: StructureElement; at: Destination } {
  const { document, styles } = flow
  const part = document.root.child('Sect')
  const at = { page: flow.page, top: flow.y }
  document.bookmark(head.title, at)
  flow.paragraph(part, head.title, { type: 'H2', style: styles.heading, after: 6 })
  if (head.note !== undefined) flow.paragraph(part, head.note, { style: styles.label, after: 6 })
  return { part, at }
}

function writeDrawingSection(
  { flow, parts }: Pick<Writing, 'flow' | 'parts'>,
  head: SectionHead,
  drawings: readonly Drawing[],
): void {
  const { part, at } = begin(flow, head)
  writeDrawings(flow, part, { head, drawings })
  part.close()
  parts.push({ title: head.title, rows: drawings.length, at })
  flow.y += 18
}

/** The rows of a section, as a table or as sheets, after the first of them have said how wide columns are. */
class SectionBody {
  count = 0
  readonly #flow: PdfFlow
  readonly #part: StructureElement
  readonly #head: SectionHead
  readonly #sums: number[]
  #waiting: Row[] = []
  #table: PdfTable | undefined

  constructor(flow: PdfFlow, part: StructureElement, head: SectionHead) {
    this.#flow = flow
    this.#part = part
    this.#head = head
    this.#sums = head.columns.map(() => 0)
  }

  add(row: Row): void {
    this.count += 1
    row.forEach((cell, at) => {
      if (typeof cell === 'number') this.#sums[at] = (this.#sums[at] ?? 0) + cell
    })
    if (this.#table) this.#table.row(row)
    else if (this.#waiting.push(row) >= SAMPLE_ROWS) this.#begin({ isWhole: false })
  }

  addSheet(row: Row, details: readonly Detail[], url: string | undefined): void {
    this.count += 1
    drawSheet(this.#flow, this.#part, { columns: this.#head.columns, row, details, url })
  }

  end(): void {
    const { head, flow } = { head: this.#head, flow: this.#flow }
    if (this.count === 0)
      flow.paragraph(this.#part, head.empty ?? 'There is nothing to show.', { style: flow.styles.label })
    if (head.layout === 'sheets' || this.count === 0) return
    if (!this.#table) this.#begin({ isWhole: true })
    if (head.isSummed) this.#table?.row(this.#totals(), { style: flow.styles.bold })
    this.#table?.end()
  }

  /** Of a section that says so, the sum of each column of counts. */
  figures(): Figure[] {
    const { columns, isSummed } = this.#head
    if (!isSummed) return []
    return columns.flatMap(({ kind, title }, at) =>
      kind === 'integer' ? [{ label: title, value: this.#sums[at] ?? 0 }] : [],
    )
  }

  #totals(): Row {
    return this.#head.columns.map(({ kind }, at) =>
      kind === 'integer' ? (this.#sums[at] ?? 0) : at === 0 ? 'Total' : null,
    )
  }

  #begin({ isWhole }: { readonly isWhole: boolean }): void {
    const { columns } = this.#head
    const flow = this.#flow
    drawChart(flow, this.#part, this.#head, { rows: this.#waiting, isWhole })
    const widths = columnWidths(columns, this.#waiting, { styles: flow.styles, available: flow.width })
    this.#table = new PdfTable(flow, this.#part, { columns, widths })
    for (const row of this.#waiting) this.#table.row(row)
    this.#waiting = []
  }
}

function drawFooter({ styles }: PdfFlow, page: PdfPage, text: string): void {
  const { font, size } = styles.label
  const { width, height } = page.size
  const { lines } = breakLines(text, { font, size, width: width - 2 * MARGIN, linesMax: 1 })
  page.artifact(() => {
    page.line({ x: MARGIN, y: height - MARGIN - 12 }, { x: width - MARGIN, y: height - MARGIN - 12 }, RULE)
    page.text(lines[0] ?? '', styles.label, { x: MARGIN, y: height - MARGIN })
  })
}
