import type { DrawnBox } from '../../links/network-drawing.ts'
import { drawFigure } from '../pdf-figure.ts'
import { ACCENT, INK, MARGIN, MUTED, RULE, SHADE, WARNING, WHITE, type PdfFlow } from '../pdf-flow.ts'
import type { Paper } from '../paper.ts'
import type { PageSize, Place } from '../pdf-page.ts'
import type { StructureElement } from '../structure.ts'
import { breakLines, widthOf } from '../text-lines.ts'

const BOX_WIDTH = 138
const BOX_HEIGHT = 31
const COLUMN_GAP = 44
const ROW_GAP = 7
const SIGN = 11
const PAD = 4
/** A larger drawing takes a larger page, so that its letters stay legible. */
const SMALL_ROWS = 10
const SMALL_COLUMNS = 4
const SENTENCE_MAX = 1_500

/** The page that a drawing of these boxes needs. */
export function pageOf(boxes: readonly DrawnBox[], paper: Paper): PageSize {
  const { rows, columns } = extentOf(boxes)
  return rows <= SMALL_ROWS && columns <= SMALL_COLUMNS ? paper.landscape : paper.large
}

const extentOf = (boxes: readonly DrawnBox[]) => ({
  rows: Math.max(...boxes.map(({ row }) => row)) + 1,
  columns: Math.max(...boxes.map(({ column }) => column)) + 1,
})

/** From left to right: boxes with what hangs on them, full lines to it, and dashed lines across. */
export function drawBoxes(flow: PdfFlow, parent: StructureElement, boxes: readonly DrawnBox[]): void {
  const top = flow.y
  const height = extentOf(boxes).rows * (BOX_HEIGHT + ROW_GAP)
  const byNumber = new Map(boxes.map((it) => [it.box, it]))
  const place = ({ column, row }: DrawnBox): Place => ({
    x: MARGIN + column * (BOX_WIDTH + COLUMN_GAP),
    y: top + row * (BOX_HEIGHT + ROW_GAP),
  })
  drawFigure(flow, parent, { sentence: sentenceOf(boxes, byNumber), height }, () => {
    for (const box of boxes) {
      const above = box.parent === null ? undefined : byNumber.get(box.parent)
      if (above) drawBranch(flow, place(above), place(box))
    }
    for (const box of boxes)
      for (const other of box.crossings.flatMap((it) => byNumber.get(it) ?? []))
        drawCrossing(flow, place(box), place(other))
    for (const box of boxes) drawBox(flow, box, place(box))
  })
  flow.y += 6
}

/** To the right, along the middle of the gap, and to the right again. */
function drawBranch({ page }: PdfFlow, from: Place, to: Place): void {
  const start = { x: from.x + BOX_WIDTH, y: from.y + BOX_HEIGHT / 2 }
  const end = { x: to.x, y: to.y + BOX_HEIGHT / 2 }
  const middle = (start.x + end.x) / 2
  page.path([start, { x: middle, y: start.y }, { x: middle, y: end.y }, end], { colour: INK })
}

/** Around the sides of boxes: between columns, or along the left edge of one. */
function drawCrossing({ page }: PdfFlow, a: Place, b: Place): void {
  const [left, right] = a.x <= b.x ? [a, b] : [b, a]
  const [startY, endY] = [left.y + BOX_HEIGHT * 0.78, right.y + BOX_HEIGHT * 0.78]
  const style = { colour: MUTED, dash: '3 2' }
  if (left.x === right.x) {
    const beside = left.x - COLUMN_GAP * 0.22
    page.path(
      [
        { x: left.x, y: startY },
        { x: beside, y: startY },
        { x: beside, y: endY },
        { x: right.x, y: endY },
      ],
      style,
    )
    return
  }
  const beside = right.x - COLUMN_GAP * 0.32
  const over = left.x + BOX_WIDTH + COLUMN_GAP * 0.2
  // below the row of the left one, where no box stands
  const lane = left.y + BOX_HEIGHT + ROW_GAP / 2
  page.path(
    [
      { x: left.x + BOX_WIDTH, y: startY },
      { x: over, y: startY },
      { x: over, y: lane },
      { x: beside, y: lane },
      { x: beside, y: endY },
      { x: right.x, y: endY },
    ],
    style,
  )
}

/** Frame, sign of the type, number, name, and what it holds. */
function drawBox(flow: PdfFlow, box: DrawnBox, at: Place): void {
  const { page, styles } = flow
  page.fill({ ...at, width: BOX_WIDTH, height: BOX_HEIGHT }, box.type === null ? WHITE : SHADE)
  const frame = { ...at, width: BOX_WIDTH, height: BOX_HEIGHT }
  page.outline(frame, box.cutsOff === null ? RULE : WARNING)
  drawSign(flow, box, { x: at.x + PAD, y: at.y + PAD })
  const x = at.x + PAD + SIGN + 4
  const width = BOX_WIDTH - PAD * 2 - SIGN - 4
  const number = { ...styles.label, size: 6.5 }
  const numberWidth = widthOf(String(box.box), number)
  page.text(String(box.box), number, { x: at.x + BOX_WIDTH - PAD - numberWidth, y: at.y + 10 })
  const name = { ...styles.bold, size: 7.5 }
  const nameLine = breakLines(box.name, {
    font: name.font,
    size: 7.5,
    width: width - numberWidth - 3,
    linesMax: 1,
  })
  page.text(nameLine.lines[0] ?? '', name, { x, y: at.y + 10.5 })
  const small = { ...styles.small, size: 6.3 }
  linesOf(box).forEach((line, n) => {
    const { lines } = breakLines(line, { font: small.font, size: small.size, width, linesMax: 1 })
    page.text(lines[0] ?? '', small, { x, y: at.y + 19 + n * 7.6 })
  })
}

function linesOf({ type, holds, cutsOff, goesOn, drawing }: DrawnBox): string[] {
  const kind = type === null ? 'not in the inventory' : type.replaceAll('_', ' ')
  const first = [
    kind,
    ...(goesOn === null
      ? []
      : [goesOn === drawing ? 'goes on in this drawing' : `goes on in drawing ${goesOn}`]),
    ...(cutsOff === null ? [] : [`cuts off ${cutsOff}`]),
  ].join(', ')
  return holds === null ? [first] : [first, holds]
}

/** Corners of the sign, in shares of its side; types that are not here have a square frame. */
const SHAPES: Readonly<
  Record<string, { readonly letter: string; readonly corners: readonly [number, number][] }>
> = {
  switch: { letter: 'S', corners: rectangle() },
  router: { letter: 'R', corners: polygon(8) },
  gateway: { letter: 'G', corners: polygon(8) },
  firewall: { letter: 'F', corners: polygon(6) },
  access_point: { letter: 'A', corners: polygon(4) },
  load_balancer: { letter: 'L', corners: polygon(4) },
  hypervisor: { letter: 'H', corners: rectangle() },
  subnet: { letter: 'N', corners: polygon(12) },
  server: { letter: 'V', corners: rectangle() },
}

function rectangle(): [number, number][] {
  return [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ]
}

function polygon(sides: number): [number, number][] {
  return Array.from({ length: sides }, (_, n) => {
    const angle = (2 * Math.PI * (n + (sides === 8 ? 0.5 : 0))) / sides
    return [0.5 + Math.sin(angle) * 0.58, 0.5 - Math.cos(angle) * 0.58]
  })
}

/** Shape and letter say the type, so that a grey print does too. */
function drawSign({ page, styles }: PdfFlow, { type }: DrawnBox, { x, y }: Place): void {
  const shape = SHAPES[type ?? '']
  const letter = shape?.letter ?? (type === null ? '?' : type.slice(0, 1).toUpperCase())
  const corners = (shape?.corners ?? rectangle()).map(([a, b]) => ({ x: x + a * SIGN, y: y + b * SIGN }))
  if (shape) page.polygon(corners, ACCENT)
  else page.outline({ x, y, width: SIGN, height: SIGN }, ACCENT)
  const style = { ...styles.bold, size: 7, colour: shape ? WHITE : ACCENT }
  page.text(letter, style, { x: x + (SIGN - widthOf(letter, style)) / 2, y: y + 8.1 })
}

/** What the drawing shows, for who hears it; the table below says all of it. */
function sentenceOf(boxes: readonly DrawnBox[], byNumber: ReadonlyMap<number, DrawnBox>): string {
  const children = Map.groupBy(
    boxes.filter(({ parent }) => parent !== null),
    ({ parent }) => parent ?? 0,
  )
  const said = [...children].map(
    ([number, below]) =>
      `${byNumber.get(number)?.name ?? ''} leads to ${below.map(({ name }) => name).join(', ')}`,
  )
  const first = `${boxes[0]?.title ?? ''}: ${boxes.length} boxes`
  const whole = [first, ...said].join('. ')
  return whole.length > SENTENCE_MAX ? `${whole.slice(0, SENTENCE_MAX)}…` : whole
}
