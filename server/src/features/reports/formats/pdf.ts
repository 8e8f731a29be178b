import type { Row, SectionHead } from '../dataset/dataset.ts'
import type { OpenDataset, OpenSection } from '../dataset/open-dataset.ts'
import { drawingSize, readDrawings, writeDrawings, type Drawing } from '../pdf/drawings/drawing-pages.ts'
import { detailReaders } from '../pdf/detail-reader.ts'
import { OtherFonts } from '../pdf/fonts/other-fonts.ts'
import { drawCover, type Cover, type Part } from '../pdf/pdf-cover.ts'
import { PdfDocument } from '../pdf/pdf-document.ts'
import type { Destination } from '../pdf/pdf-link.ts'
import { MARGIN, PdfFlow, RULE } from '../pdf/pdf-flow.ts'
import { a4, letter, type Paper } from '../pdf/paper.ts'
import type { PageSize, PdfPage } from '../pdf/pdf-page.ts'
import { SectionBody } from '../pdf/section-body.ts'
import type { StructureElement } from '../pdf/structure.ts'
import { breakLines } from '../pdf/text-lines.ts'

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
  const { about, digest } = dataset
  const paper = about.paper === 'letter' ? letter : a4
  const document = new PdfDocument({ paper, otherFonts: new OtherFonts(fonts) })
  const cover = new PdfFlow(document, paper.portrait)
  const coverElement = document.root.child('Sect')
  const found: Found = { parts: [], figures: [] }
  let flow: PdfFlow | undefined
  for await (const each of inOrderOfPrint(dataset)) {
    // it stands on the sheets of another
    if (each.head.of !== undefined || each.head.layout === 'drawings') continue
    if (each.head.layout === 'figures') {
      for await (const batch of each.rows) found.figures.push(...batch)
      continue
    }
    const pictures = each.head.pictured === undefined ? undefined : await dataset.section(each.head.pictured)
    if (pictures) {
      const drawings = await readDrawings(pictures)
      flow = flowFor(document, flow, {
        size: drawingSize(pictures.head, drawings[0], paper),
        space: HEADING_SPACE,
      })
      writeDrawingSection({ flow, found }, pictures.head, drawings)
    }
    const section = printed(each)
    const space = section.head.chart ? CHART_SPACE : HEADING_SPACE
    flow = flowFor(document, flow, { size: sizeOf(section.head, paper), space })
    yield* writeSection({ dataset, flow, found }, section)
  }
  if (flow) document.closePage(flow.page)
  drawCover(cover, coverElement, { about, digest, ...found })
  coverElement.close()
  document.closePage(cover.page)
  const metadata = { title: about.name, createdAt: about.asOf, digest }
  document.finish(metadata, (page, n, of) => drawFooter(cover, page, `${about.name} · page ${n} of ${of}`))
  yield* document.objects.take()
}

/** The section that leads, then all others. */
async function* inOrderOfPrint({ about, section, sections }: OpenDataset): AsyncGenerator<OpenSection> {
  const lead = about.leads === undefined ? undefined : await section(about.leads)
  if (lead) yield lead
  for await (const each of sections) if (each.head.name !== lead?.head.name) yield each
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
  readonly found: Found
}

/** What the cover tells, which is drawn last. */
interface Found {
  readonly parts: Part[]
  readonly figures: Row[]
  lead?: Cover['lead']
}

async function* writeSection(
  { dataset, flow, found }: Writing,
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
        const known = await Promise.all(details.map((it) => it.of(id)))
        body.addSheet(row, known, assetUrl === undefined ? undefined : assetUrl + id)
      }
    }
    yield* document.objects.take()
  }
  body.end()
  part.close()
  found.parts.push({ title: head.title, rows: body.count, at })
  if (head.name === dataset.about.leads && body.count > 0)
    found.lead = { head, rows: body.first, of: body.count, at }
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
  { flow, found }: Pick<Writing, 'flow' | 'found'>,
  head: SectionHead,
  drawings: readonly Drawing[],
): void {
  const { part, at } = begin(flow, head)
  writeDrawings(flow, part, { head, drawings })
  part.close()
  found.parts.push({ title: head.title, rows: drawings.length, at })
  flow.y += 18
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
