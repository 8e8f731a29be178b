import type { Point } from './chart-data.ts'
import { drawFigure } from '../pdf-figure.ts'
import { ACCENT, MARGIN, RULE, type PdfFlow } from '../pdf-flow.ts'
import type { Place, TextStyle } from '../pdf-page.ts'
import type { StructureElement } from '../structure.ts'
import { widthOf } from '../text-lines.ts'

const HEIGHT = 120
/** For the values above the highest point, and for the labels below the axis. */
const ABOVE = 16
const BELOW = 16
/** At the sides, so that the first and the last value have room. */
const SIDE = 24
const DOT = 1.8
/** Between two labels. */
const APART = 4

export interface LineChart {
  readonly title: string
  readonly heading: string | undefined
  readonly points: readonly Point[]
}

/** From zero on, a point for each row at equal distances; values stand at the points, as many as have room. */
export function drawLine(
  flow: PdfFlow,
  parent: StructureElement,
  { title, heading, points }: LineChart,
): void {
  if (points.filter(({ value }) => value !== undefined).length < 2) return
  if (!flow.fits(HEIGHT + 14)) flow.newPage()
  if (heading !== undefined) flow.paragraph(parent, heading, { style: flow.styles.label })
  const sentence = `${title}: ${points.map(({ label, said }) => `${label} ${said}`).join(', ')}`
  drawFigure(flow, parent, { sentence, height: HEIGHT }, () => drawPoints(flow, points))
  flow.y += 6
}

type Placed = Point & { readonly place: Place | undefined; readonly x: number }

function drawPoints(flow: PdfFlow, points: readonly Point[]): void {
  const { page, styles } = flow
  const most = Math.max(...points.map(({ value }) => value ?? 0), 1)
  const base = flow.y + HEIGHT - BELOW
  const step = (flow.width - 2 * SIDE) / (points.length - 1)
  const placed: Placed[] = points.map((point, n) => {
    const x = MARGIN + SIDE + n * step
    const rise = ((point.value ?? 0) / most) * (HEIGHT - ABOVE - BELOW)
    return { ...point, x, place: point.value === undefined ? undefined : { x, y: base - rise } }
  })
  page.line({ x: MARGIN, y: base }, { x: MARGIN + flow.width, y: base }, RULE)
  for (const run of runsOf(placed)) if (run.length > 1) page.path(run, { colour: ACCENT })
  for (const { place } of placed) if (place) page.polygon(diamond(place), ACCENT)
  const value = { ...styles.bold, size: styles.small.size }
  label(flow, placed, value, ({ said, place }) => place && [said, { x: place.x, y: place.y - 5 }])
  const below = { ...styles.label, size: styles.small.size }
  label(flow, placed, below, ({ label: text, x }) => [
    // of a day its month; the table below has the day
    text.replace(/^(\d{4}-\d\d)-\d\d$/, '$1'),
    { x, y: base + 11 },
  ])
}

/** Points that follow each other without a gap. */
function runsOf(points: readonly Placed[]): Place[][] {
  const runs: Place[][] = [[]]
  for (const { place } of points) {
    if (place) runs.at(-1)?.push(place)
    else runs.push([])
  }
  return runs
}

const diamond = ({ x, y }: Place): Place[] => [
  { x, y: y - DOT },
  { x: x + DOT, y },
  { x, y: y + DOT },
  { x: x - DOT, y },
]

/** Centred, from the last point backwards: the latest is the one that is read; what would touch it is left out. */
function label(
  flow: PdfFlow,
  points: readonly Placed[],
  style: TextStyle,
  textOf: (point: Placed) => readonly [text: string, at: Place] | undefined,
): void {
  let free = MARGIN + flow.width + APART
  for (const point of points.toReversed()) {
    const [text, at] = textOf(point) ?? []
    if (text === undefined || !at) continue
    const width = widthOf(text, style)
    const left = Math.min(at.x - width / 2, MARGIN + flow.width - width)
    if (left + width + APART > free || left < MARGIN) continue
    flow.page.text(text, style, { x: left, y: at.y })
    free = left
  }
}
