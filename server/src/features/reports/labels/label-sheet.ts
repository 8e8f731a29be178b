import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { batchesOf } from '#platform/batches.ts'
import { PdfDocument } from '../pdf/pdf-document.ts'
import { lineHeight, PdfFlow } from '../pdf/pdf-flow.ts'
import { a4 } from '../pdf/paper.ts'
import type { Box, TextStyle } from '../pdf/pdf-page.ts'
import { drawQrCode } from '../pdf/qr-code.ts'
import type { StructureElement } from '../pdf/structure.ts'

export interface Label {
  readonly id: string
  readonly name: string
  /** Empty when it was not collected. */
  readonly serial: string
  /** Of the asset's page. */
  readonly url: string
}

/** Sheets of 24 labels of 70 x 37 mm, which fill A4. */
const COLUMNS = 3
const ROWS = 8
const WIDTH = a4.portrait.width / COLUMNS
const HEIGHT = 104.88
const TOP = (a4.portrait.height - ROWS * HEIGHT) / 2
/** What printers leave white at the edges of a page is more than the space between labels. */
const PADDING = 16
const CODE_SIDE = 66
const GAP = 8

export const LABELS_PER_PAGE = COLUMNS * ROWS

/** A PDF to print at full size. The event loop has a turn after each page. */
export async function* renderLabels(labels: readonly Label[], createdAt: Date): AsyncGenerator<Uint8Array> {
  const document = new PdfDocument()
  const flow = new PdfFlow(document, a4.portrait)
  let isFirst = true
  for (const page of batchesOf(labels, LABELS_PER_PAGE)) {
    if (!isFirst) flow.newPage()
    isFirst = false
    const part = document.root.child('Sect')
    page.forEach((label, at) => drawLabel(flow, part, label, boxAt(at)))
    part.close()
    yield* document.objects.take()
    await nextTurn()
  }
  document.closePage(flow.page)
  const digest = createHash('sha256').update(JSON.stringify(labels)).digest('hex')
  document.finish({ title: 'Labels of assets', createdAt: createdAt.toISOString(), digest }, () => undefined)
  yield* document.objects.take()
}

const boxAt = (at: number): Box => ({
  x: (at % COLUMNS) * WIDTH,
  y: TOP + Math.floor(at / COLUMNS) * HEIGHT,
  width: WIDTH,
  height: HEIGHT,
})

function drawLabel(flow: PdfFlow, part: StructureElement, label: Label, box: Box): void {
  const { bold, body, small } = flow.styles
  const code = {
    x: box.x + PADDING,
    y: box.y + (HEIGHT - CODE_SIDE) / 2,
    width: CODE_SIDE,
    height: CODE_SIDE,
  }
  drawQrCode(flow, part, label.url, code)
  const x = code.x + CODE_SIDE + GAP
  const lines: readonly (readonly [string, TextStyle, number])[] = [
    [label.name, bold, 3],
    [label.serial, body, 1],
    [label.id, small, 2],
  ]
  let { y } = code
  for (const [text, style, linesMax] of lines) {
    if (text === '') continue
    const element = part.child('P')
    y += flow.textIn(element, text, {
      type: 'P',
      style,
      linesMax,
      box: { x, y, width: box.x + WIDTH - PADDING / 2 - x, height: linesMax * lineHeight(style) },
    })
    element.close()
  }
}
