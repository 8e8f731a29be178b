import type { About } from '../dataset/dataset.ts'
import type { ReportType } from '../report.ts'
import { grouped } from './cell-text.ts'
import { ACCENT, MARGIN, RULE, SHADE, type PdfFlow } from './pdf-flow.ts'
import { nameOfCharacter } from './fonts/pdf-font.ts'
import { PdfTable } from './pdf-table.ts'
import type { Destination } from './pdf-link.ts'
import type { StructureElement } from './structure.ts'

export interface Part {
  readonly title: string
  readonly rows: number
  /** Of its heading. */
  readonly at: Destination
}

export interface Figure {
  readonly label: string
  readonly value: number
}

export interface Cover {
  readonly about: About
  readonly digest: string
  readonly parts: readonly Part[]
  readonly figures: readonly Figure[]
}

const typeTitles: Readonly<Record<ReportType, string>> = {
  inventory_summary: 'Inventory summary',
  compliance_report: 'Compliance report',
  asset_audit: 'Asset audit',
  software_license: 'Software licences',
  topology: 'Topology',
  budget_forecast: 'Budget forecast',
  custom: 'Custom report',
}

const FIGURE_HEIGHT = 46
const FIGURES_PER_LINE = 6
/** Characters without a glyph that are named. */
const NAMED_GLYPHS = 8

/** The first page: what the report is, what it shows, where, and what it does not show. */
export function drawCover(flow: PdfFlow, element: StructureElement, cover: Cover): void {
  const { about } = cover
  const { page, styles } = flow
  page.artifact(() => page.fill({ x: 0, y: 0, width: page.size.width, height: 10 }, ACCENT))
  flow.y = 70
  flow.paragraph(element, `${about.organisation} · ${typeTitles[about.type]}`, {
    style: styles.label,
    linesMax: 1,
  })
  flow.paragraph(element, about.name, { type: 'H1', style: styles.title, linesMax: 3, after: 10 })
  const asOf = about.asOf.slice(0, 16).replace('T', ' ')
  const period = about.period === undefined ? '' : ` · period ${about.period}`
  flow.paragraph(element, `As of ${asOf} UTC · ${about.scope}${period}`, { linesMax: 2, after: 16 })
  drawFigures(flow, element, cover.figures)
  drawContents(flow, element, cover.parts)
  drawNotes(flow, element, [...about.notes, ...notesOnGlyphs(flow)])
  flow.y = flow.bottom - 24
  page.artifact(() =>
    page.line({ x: MARGIN, y: flow.y - 4 }, { x: MARGIN + flow.width, y: flow.y - 4 }, RULE),
  )
  flow.paragraph(element, `Snapshot ${about.snapshotId}`, { style: styles.label, after: 0 })
  flow.paragraph(element, `SHA-256 of its dataset ${cover.digest}`, { style: styles.label, after: 0 })
}

function drawFigures(flow: PdfFlow, element: StructureElement, figures: readonly Figure[]): void {
  if (figures.length === 0) return
  const width = flow.width / Math.min(FIGURES_PER_LINE, figures.length)
  const { y } = flow
  figures.slice(0, FIGURES_PER_LINE).forEach(({ label, value }, at) => {
    const x = MARGIN + at * width
    const box = { x, y, width: width - 6, height: FIGURE_HEIGHT }
    flow.page.artifact(() => flow.page.fill(box, SHADE))
    const paragraph = element.child('P')
    const inner = { x: x + 7, width: width - 20, height: 0 }
    flow.textIn(paragraph, label, {
      type: 'P',
      style: flow.styles.label,
      linesMax: 1,
      box: { ...inner, y: y + 6 },
    })
    flow.textIn(paragraph, grouped(String(value)), {
      type: 'P',
      style: { ...flow.styles.heading, size: 16 },
      linesMax: 1,
      box: { ...inner, y: y + 19 },
    })
    paragraph.close()
  })
  flow.y = y + FIGURE_HEIGHT + 16
}

function drawContents(flow: PdfFlow, element: StructureElement, parts: readonly Part[]): void {
  flow.paragraph(element, 'Contents', { type: 'H2', style: flow.styles.heading, after: 6 })
  const columns = [
    { name: 'part', title: 'Part', kind: 'text' },
    { name: 'rows', title: 'Rows', kind: 'integer' },
    { name: 'page', title: 'Page', kind: 'integer' },
  ] as const
  const table = new PdfTable(flow, element, { columns, widths: [flow.width - 130, 70, 60] })
  for (const { title, rows, at } of parts) table.row([title, rows, at.page.index + 1], { leadsTo: at })
  table.end()
  flow.y += 16
}

/** Characters that the fonts do not have, on any page before the cover, which is drawn last. */
function notesOnGlyphs({ document: { fonts } }: PdfFlow): string[] {
  const missing = [...new Set([...fonts.regular.missing, ...fonts.bold.missing])].toSorted((a, b) => a - b)
  if (missing.length === 0) return []
  const named = missing.slice(0, NAMED_GLYPHS).map(nameOfCharacter).join(', ')
  const more = missing.length > NAMED_GLYPHS ? ` and ${missing.length - NAMED_GLYPHS} more` : ''
  return [
    `The fonts of this file do not have ${named}${more}: they stand as their code points. Excel, CSV and XML have them.`,
  ]
}

/** Those that fit; all of them are in the other formats. */
function drawNotes(flow: PdfFlow, element: StructureElement, notes: readonly string[]): void {
  const reserved = 60
  flow.paragraph(element, 'What this report does not show', {
    type: 'H2',
    style: flow.styles.heading,
    after: 6,
  })
  if (notes.length === 0) flow.paragraph(element, 'Nothing is known to be missing.')
  for (const [at, note] of notes.entries()) {
    if (!flow.fits(reserved)) {
      flow.paragraph(element, `and ${notes.length - at} more`)
      return
    }
    flow.paragraph(element, `• ${note}`)
  }
}
