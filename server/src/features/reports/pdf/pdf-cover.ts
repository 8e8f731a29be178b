import type { About, Row, SectionHead } from '../dataset/dataset.ts'
import type { ReportType } from '../report.ts'
import { grouped } from './cell-text.ts'
import { columnWidths } from './column-widths.ts'
import { ACCENT, MARGIN, RULE, SHADE, type PdfFlow } from './pdf-flow.ts'
import { nameOfCharacter } from './fonts/pdf-font.ts'
import type { Box } from './pdf-page.ts'
import { PdfTable } from './pdf-table.ts'
import type { Destination } from './pdf-link.ts'
import type { StructureElement } from './structure.ts'

export interface Part {
  readonly title: string
  readonly rows: number
  /** Of its heading. */
  readonly at: Destination
}

export interface Cover {
  readonly about: About
  readonly digest: string
  readonly parts: readonly Part[]
  /** Rows of the section of key figures. */
  readonly figures: readonly Row[]
  /** The part that comes first, with its first rows. */
  readonly lead?: Lead | undefined
}

interface Lead {
  readonly head: SectionHead
  readonly rows: readonly Row[]
  /** How many rows there are in all. */
  readonly of: number
  readonly at: Destination
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

const FIGURE = { height: 54, gap: 8 }
const FIGURES_PER_LINE = 4
/** Columns of the first part that the width of a cover has room for. */
const LEAD_COLUMNS = 6
const ROW_HEIGHT = 16.5
const NOTE_HEIGHT = 15
/** The first part stands on the cover with so many rows at least. */
const LEAD_ROWS_MIN = 3
/** Of notes so many have their place before the first part has it. */
const RESERVED_NOTES = 5
/** Of what stands below the first part, without its rows and notes. */
const HEADINGS_HEIGHT = 150
/** Characters without a glyph that are named. */
const NAMED_GLYPHS = 8

/** The first page: what the report is, what it shows, where, and what it does not show. */
export function drawCover(flow: PdfFlow, element: StructureElement, cover: Cover): void {
  const { about } = cover
  const { page, styles } = flow
  page.artifact(() => page.fill({ x: 0, y: 0, width: page.size.width, height: 10 }, ACCENT))
  flow.y = 50
  flow.paragraph(element, `${about.organisation} · ${typeTitles[about.type]}`, {
    style: styles.label,
    linesMax: 1,
  })
  flow.paragraph(element, about.name, { type: 'H1', style: styles.title, linesMax: 3, after: 10 })
  const asOf = about.asOf.slice(0, 16).replace('T', ' ')
  const period = about.period === undefined ? '' : ` · period ${about.period}`
  flow.paragraph(element, `As of ${asOf} UTC · ${about.scope}${period}`, { linesMax: 2, after: 16 })
  drawFigures(flow, element, cover.figures)
  const notesHeight = Math.min(about.notes.length, RESERVED_NOTES) * NOTE_HEIGHT
  const below = HEADINGS_HEIGHT + cover.parts.length * ROW_HEIGHT + notesHeight
  if (cover.lead) drawLead(flow, element, cover.lead, below)
  drawContents(flow, element, cover.parts)
  drawNotes(flow, element, [...about.notes, ...notesOnGlyphs(flow)])
  flow.y = flow.bottom - 24
  page.artifact(() =>
    page.line({ x: MARGIN, y: flow.y - 4 }, { x: MARGIN + flow.width, y: flow.y - 4 }, RULE),
  )
  flow.paragraph(element, `Snapshot ${about.snapshotId}`, { style: styles.label, after: 0 })
  flow.paragraph(element, `SHA-256 of its dataset ${cover.digest}`, { style: styles.label, after: 0 })
}

function drawFigures(flow: PdfFlow, element: StructureElement, figures: readonly Row[]): void {
  if (figures.length === 0) return
  const top = flow.y
  const step = (flow.width + FIGURE.gap) / FIGURES_PER_LINE
  figures.slice(0, 3 * FIGURES_PER_LINE).forEach((row, at) => {
    const place = {
      x: MARGIN + (at % FIGURES_PER_LINE) * step,
      y: top + Math.floor(at / FIGURES_PER_LINE) * (FIGURE.height + FIGURE.gap),
    }
    drawFigure(flow, element, row, { ...place, width: step - FIGURE.gap, height: FIGURE.height })
    flow.y = place.y + FIGURE.height + 16
  })
}

/** Its name, its value, and what it is counted in. */
function drawFigure(flow: PdfFlow, element: StructureElement, [name, value, unit]: Row, box: Box): void {
  const { label, heading } = flow.styles
  const lines = [
    { text: String(name ?? ''), style: label, top: 6 },
    { text: value == null ? 'not known' : grouped(String(value)), style: { ...heading, size: 15 }, top: 18 },
    { text: String(unit ?? ''), style: label, top: 41 },
  ]
  flow.page.artifact(() => flow.page.fill(box, SHADE))
  const paragraph = element.child('P')
  for (const { text, style, top } of lines) {
    if (text === '') continue
    const inner = { x: box.x + 7, y: box.y + top, width: box.width - 14, height: 0 }
    flow.textIn(paragraph, text, { type: 'P', style, linesMax: 1, box: inner })
  }
  paragraph.close()
}

/** As many of the first rows as leave room for what follows on the cover. */
function drawLead(flow: PdfFlow, element: StructureElement, lead: Lead, reserved: number): void {
  if (!flow.fits(reserved + (3 + LEAD_ROWS_MIN) * ROW_HEIGHT)) return
  flow.paragraph(element, lead.head.title, { type: 'H2', style: flow.styles.heading, after: 6 })
  const columns = lead.head.columns.slice(0, LEAD_COLUMNS)
  const widths = columnWidths(columns, lead.rows, { styles: flow.styles, available: flow.width })
  const table = new PdfTable(flow, element, { columns, widths })
  let shown = 0
  for (const row of lead.rows) {
    if (!flow.fits(reserved + 2 * ROW_HEIGHT)) break
    table.row(row, { leadsTo: lead.at })
    shown += 1
  }
  table.end()
  flow.y += 3
  if (shown < lead.of)
    flow.paragraph(element, `${shown} of ${lead.of}; all of them on page ${lead.at.page.index + 1}`, {
      style: flow.styles.label,
    })
  flow.y += 12
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
  flow.paragraph(element, 'How to read it, and what it does not show', {
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
