import { encode } from 'uqr'
import type { PdfFlow } from './pdf-flow.ts'
import { pdfText } from './pdf-objects.ts'
import type { Box, Colour } from './pdf-page.ts'
import type { StructureElement } from './structure.ts'

const BLACK: Colour = [0, 0, 0]
/** Any of the eight can be read; trying all of them takes eighteen times as long. */
const MASK = 2

/** A square that phones read (ISO/IEC 18004), and a link on a screen, with its text for those who hear the page. */
export function drawQrCode(flow: PdfFlow, parent: StructureElement, text: string, box: Box): void {
  const { data, size } = encode(text, { ecc: 'L', border: 0, maskPattern: MASK })
  const side = box.width / size
  const { page } = flow
  const bars: Box[] = data.flatMap((row, y) =>
    runsOf(row).map(([from, until]) => ({
      x: box.x + from * side,
      y: box.y + y * side,
      width: (until - from) * side,
      height: side,
    })),
  )
  const bottom = page.size.height - box.y - box.height
  const bounds = `/A<</O/Layout/Placement/Block/BBox[${box.x} ${bottom} ${box.x + box.width} ${bottom + box.height}]>>`
  const drawIn = (element: StructureElement): void => {
    const figure = element.child('Figure', { entries: `/Alt ${pdfText(`QR code: ${text}`)}${bounds}` })
    page.tagged('Figure', figure, () => page.fillAll(bars, BLACK))
    figure.close()
  }
  if (!URL.canParse(text)) return drawIn(parent)
  flow.document.link(page, parent, { box, to: { address: text }, says: `Open ${text}` }, drawIn)
}

/** From and until of each run of dark squares. */
function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = []
  let from = -1
  for (let at = 0; at <= row.length; at += 1) {
    const isDark = row[at] === true
    if (isDark && from < 0) from = at
    if (isDark || from < 0) continue
    runs.push([from, at])
    from = -1
  }
  return runs
}
