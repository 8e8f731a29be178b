import type { Row, SectionHead } from '../dataset/dataset.ts'
import { grouped } from './cell-text.ts'
import { ACCENT, MARGIN, type PdfFlow } from './pdf-flow.ts'
import { pdfText } from './pdf-objects.ts'
import type { StructureElement } from './structure.ts'
import { breakLines } from './text-lines.ts'

const BARS_MAX = 8
const BAR_HEIGHT = 11
const BAR_GAP = 5
const LABEL_WIDTH = 130
const VALUE_WIDTH = 50

interface Bar {
  readonly label: string
  readonly value: number
}

/** A bar for each of the first rows, the longest of the whole width; its sentence and the table below say the same. */
export function drawChart(
  flow: PdfFlow,
  parent: StructureElement,
  head: SectionHead,
  rows: readonly Row[],
): void {
  const bars = barsOf(head, rows)
  if (bars.length < 2) return
  const height = bars.length * (BAR_HEIGHT + BAR_GAP) + BAR_GAP
  if (!flow.fits(height)) flow.newPage()
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const sentence = `${head.title}: ${bars.map(({ label, value }) => `${label} ${value}`).join(', ')}`
  const [x, y, width] = [MARGIN, flow.y, flow.width]
  const box = `/A<</O/Layout/Placement/Block/BBox[${x} ${flow.page.size.height - y - height} ${x + width} ${flow.page.size.height - y}]>>`
  const figure = parent.child('Figure', { entries: `/Alt ${pdfText(sentence)}${box}` })
  flow.page.tagged('Figure', figure, () => drawBars(flow, bars, most))
  figure.close()
  flow.y += height + 6
}

function drawBars(flow: PdfFlow, bars: readonly Bar[], most: number): void {
  const { small, bold } = flow.styles
  const longest = flow.width - LABEL_WIDTH - VALUE_WIDTH
  bars.forEach(({ label, value }, at) => {
    const y = flow.y + at * (BAR_HEIGHT + BAR_GAP)
    const width = Math.max(1, (longest * value) / most)
    const { lines } = breakLines(label, {
      font: small.font,
      size: small.size,
      width: LABEL_WIDTH - 8,
      linesMax: 1,
    })
    flow.page.text(lines[0] ?? '', small, { x: MARGIN, y: y + BAR_HEIGHT - 3 })
    flow.page.fill({ x: MARGIN + LABEL_WIDTH, y, width, height: BAR_HEIGHT }, ACCENT)
    flow.page.text(
      grouped(String(value)),
      { ...bold, size: 8 },
      {
        x: MARGIN + LABEL_WIDTH + width + 5,
        y: y + BAR_HEIGHT - 3,
      },
    )
  })
}

/** What is not among the first ones is one bar, the last. */
function barsOf({ chart, columns }: SectionHead, rows: readonly Row[]): Bar[] {
  const label = columns.findIndex(({ name }) => name === chart?.label)
  const value = columns.findIndex(({ name }) => name === chart?.value)
  if (!chart || label < 0 || value < 0) return []
  const bars = rows.map((row) => ({
    label: String(row[label] ?? 'not known'),
    value: Number(row[value] ?? 0),
  }))
  const [first, rest] = [bars.slice(0, BARS_MAX), bars.slice(BARS_MAX)]
  if (rest.length === 0) return first
  // money is in cents
  const others = rest.reduce((sum, it) => sum + Math.round(it.value * 100), 0) / 100
  return [...first, { label: `${rest.length} others`, value: others }]
}
