import type { PdfFont } from './fonts/pdf-font.ts'
import { pdfText } from './pdf-objects.ts'
import type { StructureElement } from './structure.ts'

export interface PageSize {
  readonly width: number
  readonly height: number
}

export type Colour = readonly [red: number, green: number, blue: number]

export interface TextStyle {
  readonly font: PdfFont
  readonly size: number
  readonly colour: Colour
}

export interface Place {
  readonly x: number
  /** From the upper edge of the page. */
  readonly y: number
}

export interface Box extends Place {
  readonly width: number
  readonly height: number
}

/** What is drawn on a page; lengths in points, from the upper left corner. */
export class PdfPage {
  readonly id: number
  readonly size: PageSize
  /** Among the pages of its document, from 0. */
  readonly index: number
  /** By number of marked content: the element that holds it. */
  readonly marked: StructureElement[] = []
  /** Numbers of the objects of its annotations. */
  readonly annotations: number[] = []
  #content = ''

  constructor(id: number, size: PageSize, index: number) {
    this.id = id
    this.size = size
    this.index = index
  }

  content(): string {
    return this.#content
  }

  /** What `draw` draws belongs to the element. `actual`: the text, where it is not what is drawn. */
  tagged(type: string, element: StructureElement, draw: () => void, actual?: string): void {
    const number = this.marked.push(element) - 1
    element.holds(this.id, number)
    const text = actual === undefined ? '' : `/ActualText ${pdfText(actual)}`
    this.#content += `/${type} <</MCID ${number}${text}>> BDC\n`
    draw()
    this.#content += 'EMC\n'
  }

  /** What `draw` draws says nothing to who hears the page: lines, backgrounds, page numbers. */
  artifact(draw: () => void): void {
    this.#content += '/Artifact BMC\n'
    draw()
    this.#content += 'EMC\n'
  }

  /** The baseline is at `y`. */
  text(text: string, { font, size, colour }: TextStyle, { x, y }: Place): void {
    const { hex, runs } = font.glyphs(text)
    const [first, ...more] = runs ?? [{ font: font.name, hex }]
    if (!first || (hex === '' && !runs)) return
    const rest = more.map((it) => ` /${it.font} ${size} Tf <${it.hex}> Tj`).join('')
    this.#content += `BT ${rgb(colour)} rg /${first.font} ${size} Tf ${round(x)} ${this.#up(y)} Td <${first.hex}> Tj${rest} ET\n`
  }

  fill({ x, y, width, height }: Box, colour: Colour): void {
    this.#content += `${rgb(colour)} rg ${round(x)} ${this.#up(y + height)} ${round(width)} ${round(height)} re f\n`
  }

  fillAll(boxes: readonly Box[], colour: Colour): void {
    const parts = boxes.map(
      ({ x, y, width, height }) => `${round(x)} ${this.#up(y + height)} ${round(width)} ${round(height)} re`,
    )
    this.#content += `${rgb(colour)} rg ${parts.join(' ')} f\n`
  }

  outline({ x, y, width, height }: Box, colour: Colour): void {
    this.#content += `${rgb(colour)} RG 0.6 w ${round(x)} ${this.#up(y + height)} ${round(width)} ${round(height)} re S\n`
  }

  line(from: Place, to: Place, colour: Colour): void {
    this.#content += `${rgb(colour)} RG 0.5 w ${round(from.x)} ${this.#up(from.y)} m ${round(to.x)} ${this.#up(to.y)} l S\n`
  }

  /** A line with corners. `dash`: lengths of its parts and gaps (ISO 32000-1 §8.4.3.6). */
  path(
    places: readonly Place[],
    { colour, dash = '' }: { readonly colour: Colour; readonly dash?: string },
  ): void {
    this.#content += `${rgb(colour)} RG 0.6 w [${dash}] 0 d ${this.#along(places)} S [] 0 d\n`
  }

  polygon(corners: readonly Place[], colour: Colour): void {
    this.#content += `${rgb(colour)} rg ${this.#along(corners)} f\n`
  }

  #along(places: readonly Place[]): string {
    return places.map(({ x, y }, at) => `${round(x)} ${this.#up(y)} ${at === 0 ? 'm' : 'l'}`).join(' ')
  }

  #up(y: number): string {
    return round(this.size.height - y)
  }
}

/** Hundredths of a point are finer than any printer. */
const round = (value: number): string => String(Math.round(value * 100) / 100)

const rgb = (colour: Colour): string => colour.map((it) => round(it / 255)).join(' ')
