import { MARGIN, type PdfFlow } from './pdf-flow.ts'
import { pdfText } from './pdf-objects.ts'
import type { StructureElement } from './structure.ts'

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
