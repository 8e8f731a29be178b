import { pdfText } from './pdf-objects.ts'
import type { Box, PdfPage } from './pdf-page.ts'

/** A place in the same file. */
export interface Destination {
  readonly page: PdfPage
  /** From the upper edge of the page. */
  readonly top: number
}

export interface Link {
  readonly box: Box
  /** An address is absolute. */
  readonly to: Destination | { readonly address: string }
  /** Where it leads, for those who hear the page. */
  readonly says: string
}

/** Its dictionary (ISO 32000-1 §12.5.6.5); `key`: of its element in the parent tree. */
export function linkAnnotation(page: PdfPage, { box, to, says }: Link, key: number): string {
  const bottom = page.size.height - box.y - box.height
  const corners = [box.x, bottom, box.x + box.width, bottom + box.height].map((it) => it.toFixed(2)).join(' ')
  const target =
    'address' in to
      ? `/A<</S/URI/URI<${Buffer.from(new URL(to.address).href).toString('hex')}>>>`
      : `/Dest[${to.page.id} 0 R/XYZ 0 ${(to.page.size.height - to.top).toFixed(2)} null]`
  // flag 4: it is printed, as PDF/A asks
  return `<</Type/Annot/Subtype/Link/Rect[${corners}]/Border[0 0 0]/F 4/StructParent ${key}/Contents ${pdfText(says)}${target}>>`
}
