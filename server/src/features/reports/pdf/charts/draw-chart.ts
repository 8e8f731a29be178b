import type { Row, SectionHead } from '../../dataset/dataset.ts'
import { grouped } from '../cell-text.ts'
import { barsOf, byUnit, pairsOf, pointsOf, stacksOf, type Bar, type Pair } from './chart-data.ts'
import { drawFigure } from '../pdf-figure.ts'
import { ACCENT, MARGIN, MUTED, type PdfFlow } from '../pdf-flow.ts'
import { drawLine } from './line-chart.ts'
import { drawStacks } from './stacked-chart.ts'
import type { StructureElement } from '../structure.ts'
import { breakLines } from '../text-lines.ts'

const BAR_HEIGHT = 11
const BAR_GAP = 5
const LABEL_WIDTH = 130
const VALUE_WIDTH = 60

export interface ChartRows {
  readonly rows: readonly Row[]
  /** They are all that the section has. */
  readonly isWhole: boolean
}

/** A picture above the table of a section, which says the same as the table; one for each unit of its values. */
export function drawChart(
  flow: PdfFlow,
  parent: StructureElement,
  head: SectionHead,
  { rows, isWhole }: ChartRows,
): void {
  const { chart } = head
  if (!chart) return
  if (chart.second !== undefined) return drawPairs(flow, parent, head.title, pairsOf(head, rows))
  for (const { unit, rows: some } of byUnit(head, rows)) {
    const title = unit === undefined ? head.title : `${head.title}, in ${unit}`
    const heading = unit === undefined ? undefined : `Amounts in ${unit}`
    if (chart.kind === 'line') drawLine(flow, parent, { title, heading, points: pointsOf(head, some) })
    else if (chart.kind === 'stacked') drawStacks(flow, parent, { title, heading, ...stacksOf(head, some) })
    else drawBars(flow, parent, { title, heading, bars: barsOf(head, some, isWhole) })
  }
}

interface Bars {
  readonly title: string
  /** Stands above, where there are several pictures. */
  readonly heading: string | undefined
  readonly bars: readonly Bar[]
}

/** The longest is as wide as the page. */
function drawBars(flow: PdfFlow, parent: StructureElement, { title, heading, bars }: Bars): void {
  if (bars.length < 2) return
  const height = bars.length * (BAR_HEIGHT + BAR_GAP) + BAR_GAP
  if (!flow.fits(height + 14)) flow.newPage()
  if (heading !== undefined) flow.paragraph(parent, heading, { style: flow.styles.label })
  const sentence = `${title}: ${bars.map(({ label, said }) => `${label} ${said}`).join(', ')}`
  const { small, bold } = flow.styles
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const longest = flow.width - LABEL_WIDTH - VALUE_WIDTH
  drawFigure(flow, parent, { sentence, height }, () => {
    bars.forEach(({ label, value, said }, at) => {
      const y = flow.y + at * (BAR_HEIGHT + BAR_GAP)
      const width = Math.max(1, (longest * value) / most)
      drawLabel(flow, label, { y: y + BAR_HEIGHT - 3, linesMax: 1 })
      flow.page.fill({ x: MARGIN + LABEL_WIDTH, y, width, height: BAR_HEIGHT }, ACCENT)
      const place = { x: MARGIN + LABEL_WIDTH + width + 5, y: y + BAR_HEIGHT - 3 }
      flow.page.text(said, { ...bold, size: small.size + 0.5 }, place)
    })
  })
  flow.y += 6
}

/** To the left of its bar. */
function drawLabel(
  flow: PdfFlow,
  label: string,
  { y, linesMax }: { readonly y: number; readonly linesMax: number },
): void {
  const { small } = flow.styles
  const limits = { font: small.font, size: small.size, width: LABEL_WIDTH - 8, linesMax }
  breakLines(label, limits).lines.forEach((line, n) => {
    flow.page.text(line, small, { x: MARGIN, y: y + n * (PAIR_HEIGHT + 1) })
  })
}

const PAIR_HEIGHT = 8

/** Before in grey and after below it, each pair on its own scale; the numbers stand beside the bars. */
function drawPairs(flow: PdfFlow, parent: StructureElement, title: string, pairs: readonly Pair[]): void {
  if (pairs.length === 0) return
  const step = 2 * PAIR_HEIGHT + 2 * BAR_GAP
  const height = pairs.length * step
  if (!flow.fits(height)) flow.newPage()
  const said = pairs.map(({ label, value, second }) => `${label} ${value}, then ${second}`)
  const { small } = flow.styles
  const longest = flow.width - LABEL_WIDTH - VALUE_WIDTH
  drawFigure(flow, parent, { sentence: `${title}: ${said.join('; ')}`, height }, () => {
    pairs.forEach(({ label, value, second }, at) => {
      const y = flow.y + at * step
      drawLabel(flow, label, { y: y + PAIR_HEIGHT - 1, linesMax: 2 })
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
