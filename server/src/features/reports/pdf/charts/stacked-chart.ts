import type { Stack, Stacks } from './chart-data.ts'
import { drawFigure } from '../pdf-figure.ts'
import { INK, MARGIN, WHITE, type PdfFlow } from '../pdf-flow.ts'
import type { Colour } from '../pdf-page.ts'
import type { StructureElement } from '../structure.ts'
import { breakLines, widthOf } from '../text-lines.ts'

const BAR_HEIGHT = 13
const BAR_GAP = 5
const KEY_HEIGHT = 13
const SWATCH = 7
const LABEL_WIDTH = 110
const VALUE_WIDTH = 66
/** White between two parts, so that they are told apart in grey as well. */
const SEAM = 0.8
const INSET = 3

interface Tint {
  readonly fill: Colour
  readonly ink: Colour
}

/** Neighbours differ in lightness, for prints without colour. */
const TINTS: readonly Tint[] = [
  { fill: [31, 58, 95], ink: WHITE },
  { fill: [165, 193, 224], ink: INK },
  { fill: [84, 114, 76], ink: WHITE },
  { fill: [232, 211, 165], ink: INK },
  { fill: [122, 84, 110], ink: WHITE },
  { fill: [206, 219, 206], ink: INK },
  { fill: [148, 62, 0], ink: WHITE },
  { fill: [205, 209, 215], ink: INK },
]
const GREY: Tint = { fill: [205, 209, 215], ink: INK }

export interface StackedChart extends Stacks {
  readonly title: string
  readonly heading: string | undefined
}

/** A bar for each label with the parts that it consists of; each part that has room says what it is. */
export function drawStacks(flow: PdfFlow, parent: StructureElement, chart: StackedChart): void {
  const { title, heading, series, stacks } = chart
  if (stacks.length < 2 && series.length < 2) return
  const keys = keyLines(flow, series)
  const height = stacks.length * (BAR_HEIGHT + BAR_GAP) + keys.length * KEY_HEIGHT + 4
  if (!flow.fits(height + 14)) flow.newPage()
  if (heading !== undefined) flow.paragraph(parent, heading, { style: flow.styles.label })
  const sentence = `${title}: ${stacks.map(sentenceOf).join('; ')}`
  const most = Math.max(...stacks.map(({ value }) => value), 1)
  const scale = (flow.width - LABEL_WIDTH - VALUE_WIDTH) / most
  drawFigure(flow, parent, { sentence, height }, () => {
    keys.forEach((line, n) => {
      for (const key of line) drawKey(flow, key, flow.y + n * KEY_HEIGHT)
    })
    const top = flow.y + keys.length * KEY_HEIGHT
    stacks.forEach((stack, n) => drawStack(flow, stack, { y: top + n * (BAR_HEIGHT + BAR_GAP), scale }))
  })
  flow.y += 6
}

const sentenceOf = ({ label, said, parts }: Stack): string =>
  `${label} ${said}${parts.length > 1 ? ` (${parts.map((it) => `${it.label} ${it.said}`).join(', ')})` : ''}`

function drawStack(
  flow: PdfFlow,
  { label, said, parts }: Stack,
  { y, scale }: { readonly y: number; readonly scale: number },
): void {
  const { page, styles } = flow
  const { small, bold } = styles
  const baseline = y + BAR_HEIGHT - 4
  page.text(cut(flow, label, LABEL_WIDTH - 8), small, { x: MARGIN, y: baseline })
  let x = MARGIN + LABEL_WIDTH
  for (const part of parts) {
    const { fill, ink } = TINTS[part.series] ?? GREY
    const width = part.value * scale
    page.fill({ x, y, width: Math.max(0.4, width - SEAM), height: BAR_HEIGHT }, fill)
    const room = width - SEAM - 2 * INSET
    const text = [`${part.label} ${part.said}`, part.said].find((it) => widthOf(it, small) <= room)
    if (text !== undefined) page.text(text, { ...small, colour: ink }, { x: x + INSET, y: baseline })
    x += width
  }
  page.text(said, { ...bold, size: small.size + 0.5 }, { x: x + 5, y: baseline })
}

interface Key {
  readonly series: number
  readonly text: string
  readonly x: number
}

/** Of one series there is nothing to tell apart. */
function keyLines(flow: PdfFlow, series: readonly string[]): Key[][] {
  if (series.length < 2) return []
  const lines: Key[][] = [[]]
  let x = MARGIN
  series.forEach((name, n) => {
    const text = cut(flow, name, flow.width / 3)
    const width = SWATCH + 4 + widthOf(text, flow.styles.small) + 14
    if (x + width > MARGIN + flow.width + 14) {
      lines.push([])
      x = MARGIN
    }
    lines.at(-1)?.push({ series: n, text, x })
    x += width
  })
  return lines
}

function drawKey({ page, styles }: PdfFlow, { series, text, x }: Key, y: number): void {
  page.fill({ x, y: y + 1, width: SWATCH, height: SWATCH }, (TINTS[series] ?? GREY).fill)
  page.text(text, styles.small, { x: x + SWATCH + 4, y: y + SWATCH + 0.5 })
}

const cut = ({ styles: { small } }: PdfFlow, text: string, width: number): string =>
  breakLines(text, { font: small.font, size: small.size, width, linesMax: 1 }).lines[0] ?? ''
