import type { PdfDocument } from './pdf-document.ts'
import type { Box, Colour, PageSize, PdfPage, Place, TextStyle } from './pdf-page.ts'
import type { StructureElement } from './structure.ts'
import { breakLines } from './text-lines.ts'

export const INK: Colour = [28, 36, 48]
export const ACCENT: Colour = [31, 58, 95]
export const MUTED: Colour = [92, 101, 114]
export const RULE: Colour = [206, 212, 220]
export const SHADE: Colour = [244, 246, 249]
export const WARNING: Colour = [148, 62, 0]
export const WHITE: Colour = [255, 255, 255]

export const MARGIN = 42
/** Of the lower edge of a page, where its number stands. */
const FOOTER = 36
const LEADING = 1.3
const CUT_TEXT_MAX = 2_000

export interface Styles {
  readonly body: TextStyle
  readonly small: TextStyle
  readonly label: TextStyle
  readonly bold: TextStyle
  readonly heading: TextStyle
  readonly title: TextStyle
  readonly head: TextStyle
  readonly warning: TextStyle
}

export const lineHeight = ({ size }: TextStyle): number => size * LEADING

/** Fills one page after the other from the top. */
export class PdfFlow {
  readonly document: PdfDocument
  readonly styles: Styles
  page: PdfPage
  /** Where the next thing goes, from the upper edge of the page. */
  y = MARGIN

  constructor(document: PdfDocument, size: PageSize) {
    this.document = document
    this.styles = stylesOf(document)
    this.page = document.openPage(size)
  }

  get width(): number {
    return this.page.size.width - 2 * MARGIN
  }

  get bottom(): number {
    return this.page.size.height - MARGIN - FOOTER
  }

  fits(height: number): boolean {
    return this.y + height <= this.bottom
  }

  newPage(size: PageSize = this.page.size): void {
    this.document.closePage(this.page)
    this.page = this.document.openPage(size)
    this.y = MARGIN
  }

  /** A paragraph or a heading, as an element of its own; answers its height. */
  paragraph(parent: StructureElement, text: string, more: ParagraphOptions = {}): number {
    const { type = 'P', style = this.styles.body, linesMax = 12, after = 4 } = more
    const element = parent.child(type)
    const height = this.textIn(element, text, {
      type,
      style,
      linesMax,
      box: { x: MARGIN, y: this.y, width: this.width, height: 0 },
    })
    element.close()
    this.y += height + after
    return height + after
  }

  /** Text in a box of the width given, as content of the element; answers its height. */
  textIn(
    element: StructureElement,
    text: string,
    { type, style, linesMax, box, align }: TextOptions,
  ): number {
    if (text === '') return lineHeight(style)
    const { font, size } = style
    const { lines, isCut } = breakLines(text, { font, size, width: box.width, linesMax })
    const isExact = !isCut && lines.every((line) => font.glyphs(line).isExact)
    this.page.tagged(
      type,
      element,
      () => {
        lines.forEach((line, at) => {
          const shift = align === 'right' ? box.width - (font.glyphs(line).width * size) / 1_000 : 0
          const place: Place = { x: box.x + shift, y: box.y + size + at * lineHeight(style) }
          this.page.text(line, style, place)
        })
      },
      isExact ? undefined : text.slice(0, CUT_TEXT_MAX),
    )
    return lines.length * lineHeight(style)
  }
}

interface ParagraphOptions {
  readonly type?: 'P' | 'H1' | 'H2' | 'H3' | 'H4'
  readonly style?: TextStyle
  readonly linesMax?: number
  /** Free space below. */
  readonly after?: number
}

export interface TextOptions {
  readonly type: string
  readonly style: TextStyle
  readonly linesMax: number
  readonly box: Box
  readonly align?: 'right'
}

function stylesOf({ fonts: { regular, bold } }: PdfDocument): Styles {
  const plain = (size: number, colour = INK): TextStyle => ({ font: regular, size, colour })
  const strong = (size: number, colour = INK): TextStyle => ({ font: bold, size, colour })
  return {
    body: plain(9),
    small: plain(7.5),
    label: plain(7.5, MUTED),
    bold: strong(9),
    heading: strong(14, ACCENT),
    title: strong(24, ACCENT),
    head: strong(7.5, WHITE),
    warning: plain(8.5, WARNING),
  }
}
