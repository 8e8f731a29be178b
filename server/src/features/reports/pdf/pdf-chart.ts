import type { Row, SectionHead } from '../dataset/dataset.ts'
import { grouped } from './cell-text.ts'
import { ACCENT, MARGIN, MUTED, type PdfFlow } from './pdf-flow.ts'
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

interface Pair extends Bar {
  readonly second: number
}

/** A bar for each of the first rows, the longest of the whole width; its sentence and the table below say the same. */
export function drawChart(
  flow: PdfFlow,
  parent: StructureElement,
  head: SectionHead,
  rows: readonly Row[],
): void {
  if (head.chart?.second !== undefined) return drawPairs(flow, parent, head, pairsOf(head, rows))
  const bars = barsOf(head, rows)
  if (bars.length < 2) return
  const height = bars.length * (BAR_HEIGHT + BAR_GAP) + BAR_GAP
  if (!flow.fits(height)) flow.newPage()
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const sentence = `${head.title}: ${bars.map(({ label, value }) => `${label} ${value}`).join(', ')}`
  drawFigure(flow, parent, { sentence, height }, () => drawBars(flow, bars, most))
  flow.y += 6
}

/** A drawing with a sentence that says the same, over the whole width from `flow.y` on, which ends below it. */
export function drawFigure(
  flow: PdfFlow,
  parent: StructureElement,
  { sentence, height }: { readonly sentence: string; readonly height: number },
  draw: () => void,
): void {
  const [x, y, width] = [MARGIN, flow.y, flow.width]
  const box = `/A<</O/Layout/Placement/Block/BBox[${x} ${flow.page.size.height - y - height} ${x + width} ${flow.page.size.height - y}]>>`
  const figure = parent.child('Figure', { entries: `/Alt ${pdfText(sentence)}${box}` })
  flow.page.tagged('Figure', figure, draw)
  figure.close()
  flow.y += height
}

const PAIR_HEIGHT = 8
const PAIRS_MAX = 12

/** Before in grey and after below it, each pair on its own scale; the numbers stand beside the bars. */
function drawPairs(flow: PdfFlow, parent: StructureElement, head: SectionHead, pairs: readonly Pair[]): void {
  if (pairs.length === 0) return
  const step = 2 * PAIR_HEIGHT + 2 * BAR_GAP
  const height = pairs.length * step
  if (!flow.fits(height)) flow.newPage()
  const said = pairs.map(({ label, value, second }) => `${label} ${value}, then ${second}`)
  const { small } = flow.styles
  const longest = flow.width - LABEL_WIDTH - VALUE_WIDTH
  drawFigure(flow, parent, { sentence: `${head.title}: ${said.join('; ')}`, height }, () => {
    pairs.forEach(({ label, value, second }, at) => {
      const y = flow.y + at * step
      const limits = { font: small.font, size: small.size, width: LABEL_WIDTH - 8, linesMax: 2 }
      breakLines(label, limits).lines.forEach((line, n) => {
        flow.page.text(line, small, { x: MARGIN, y: y + PAIR_HEIGHT - 1 + n * (PAIR_HEIGHT + 1) })
      })
      const most = Math.max(value, second, 1)
      for (const [n, [number, colour]] of (
        [
          [value, MUTED],
          [second, ACCENT],
        ] as const
      ).entries()) {
        const width = Math.max(1, (longest * number) / most)
        const top = y + n * (PAIR_HEIGHT + 1)
        flow.page.fill({ x: MARGIN + LABEL_WIDTH, y: top, width, height: PAIR_HEIGHT }, colour)
        const place = { x: MARGIN + LABEL_WIDTH + width + 5, y: top + PAIR_HEIGHT - 1 }
        flow.page.text(`${grouped(String(number))} ${n === 0 ? 'before' : 'after'}`, small, place)
      }
    })
  })
  flow.y += 6
}

/** Rows of which both numbers are known. */
function pairsOf({ chart, columns }: SectionHead, rows: readonly Row[]): Pair[] {
  const at = (wanted: string | undefined) => columns.findIndex(({ name }) => name === wanted)
  const [label, value, second] = [at(chart?.label), at(chart?.value), at(chart?.second)]
  return rows
    .flatMap((row) => {
      const [before, after] = [row[value] ?? null, row[second] ?? null]
      if (before === null || after === null) return []
      return { label: String(row[label] ?? ''), value: Number(before), second: Number(after) }
    })
    .slice(0, PAIRS_MAX)
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
