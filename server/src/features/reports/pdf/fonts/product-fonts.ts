import { create } from 'fontkit'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { EmbeddedFont } from './embedded-font.ts'
import type { OtherFonts } from './other-fonts.ts'
import { PdfFont } from './pdf-font.ts'

export interface Fonts {
  readonly regular: PdfFont
  readonly bold: PdfFont
}

/** DejaVu, which has Latin, Greek, Cyrillic and some of Arabic and Hebrew; the others draw what is left. */
export const productFonts = (others: OtherFonts): Fonts => ({
  regular: new PdfFont('F1', embedded('DejaVuSansCondensed.ttf', 'ROLLCA'), others),
  bold: new PdfFont('F2', embedded('DejaVuSansCondensed-Bold.ttf', 'ROLLCB'), others),
})

function embedded(file: string, tag: string): EmbeddedFont {
  const font = create(readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}`)))
  if ('fonts' in font) throw new Error(`${file} is a collection of fonts`)
  return new EmbeddedFont(font, tag)
}
