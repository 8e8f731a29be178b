import type { Font, Subset } from 'fontkit'
import type { PdfObjects } from '../pdf-objects.ts'

export interface Drawn {
  /** Numbers of glyphs in the subset, two bytes each. */
  readonly hex: string
  /** In thousandths of the size. */
  readonly width: number
}

/** A TrueType or OpenType font in the file, with the glyphs alone that are used. */
export class EmbeddedFont {
  readonly #font: Font
  readonly #subset: Subset
  readonly #tag: string
  /** By number in the subset. */
  readonly #widths: number[] = []
  readonly #texts: string[] = []

  /** `tag`: six capitals that tell this subset from others (§9.6.4). */
  constructor(font: Font, tag: string) {
    this.#font = font
    this.#subset = font.createSubset()
    this.#tag = tag
  }

  get isUsed(): boolean {
    return this.#widths.length > 0
  }

  has(codePoint: number): boolean {
    return this.#font.hasGlyphForCodePoint(codePoint)
  }

  character(codePoint: number): Drawn & { readonly isExact: boolean } {
    const text = String.fromCodePoint(codePoint)
    const { id, advanceWidth } = this.#font.glyphForCodePoint(codePoint)
    const number = this.#subset.includeGlyph(id)
    const width = this.#scaled(advanceWidth)
    this.#widths[number] ??= width
    this.#texts[number] ??= text
    // two characters may share a glyph, which then stands for the first
    return { hex: hexOf(number), width, isExact: this.#texts[number] === text }
  }

  /** All characters of which the font has: letters change their form beside others, and their order where it asks for it. */
  shaped(text: string): Drawn {
    const { glyphs, positions } = this.#font.layout(text)
    let [hex, width] = ['', 0]
    glyphs.forEach(({ id, codePoints }, at) => {
      const advance = this.#scaled(positions[at]?.xAdvance ?? 0)
      const number = this.#subset.includeGlyph(id)
      this.#widths[number] ??= advance
      this.#texts[number] ??= String.fromCodePoint(...codePoints) || ' '
      hex += hexOf(number)
      width += this.#widths[number] ?? advance
    })
    return { hex, width }
  }

  #scaled(units: number): number {
    return Math.round((1_000 * units) / this.#font.unitsPerEm)
  }

  /** Writes the font into the object `id`. */
  write(objects: PdfObjects, id: number): void {
    const { postscriptName, ascent, descent, bbox } = this.#font
    const name = `${this.#tag}+${postscriptName}`
    const content = this.#subset.encode()
    const isCff = this.#subset.cff !== undefined
    const file = objects.addStream(isCff ? '/Subtype/CIDFontType0C' : `/Length1 ${content.length}`, content)
    const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((it) => this.#scaled(it)).join(' ')
    const descriptor = objects.add(
      `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0` +
        `/Ascent ${this.#scaled(ascent)}/Descent ${this.#scaled(descent)}/CapHeight ${this.#scaled(ascent)}` +
        `/StemV 80/FontFile${isCff ? 3 : 2} ${file} 0 R>>`,
    )
    const widths = [...this.#widths].map((it) => it ?? 0).join(' ')
    const descendant = objects.add(
      `<</Type/Font/Subtype/CIDFontType${isCff ? 0 : 2}/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)` +
        `/Supplement 0>>/FontDescriptor ${descriptor} 0 R${isCff ? '' : '/CIDToGIDMap/Identity'}/DW 0/W[0[${widths}]]>>`,
    )
    const unicode = objects.addStream('', this.#toUnicode())
    objects.add(
      `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]` +
        `/ToUnicode ${unicode} 0 R>>`,
      id,
    )
  }

  /** Which text each glyph stands for (§9.10.3), a hundred at a time. */
  #toUnicode(): string {
    const lines = this.#texts.flatMap((text, number) => {
      const units = Buffer.from(text, 'utf16le').swap16().toString('hex')
      return [`<${hexOf(number)}><${units}>`]
    })
    const present = lines.filter((it) => it !== undefined)
    let blocks = ''
    for (let at = 0; at < present.length; at += 100) {
      const some = present.slice(at, at + 100)
      blocks += `${some.length} beginbfchar\n${some.join('\n')}\nendbfchar\n`
    }
    return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><ffff>
endcodespacerange
${blocks}endcmap
CMapName currentdict /CMap defineresource pop
end
end
`
  }
}

const hexOf = (number: number): string => number.toString(16).padStart(4, '0')
