import { create, type Font, type Subset } from 'fontkit'
import type { PdfObjects } from './pdf-objects.ts'

/** Text as a font draws it. */
export interface Glyphs {
  /** Numbers of glyphs in the subset, two bytes each. */
  readonly hex: string
  /** In thousandths of the size. */
  readonly width: number
  /** What is drawn is the text; otherwise characters were left out or drawn as their code point. */
  readonly isExact: boolean
}

interface Drawn {
  readonly hex: string
  readonly width: number
}

const CACHED_MAX = 20_000
/** Hebrew, Arabic and their presentation forms: drawn from right to left, and letters change their form. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+(?:\s+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+)*/
/** They change how others are drawn, and are nothing themselves; or they cannot be drawn at all. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
const CONTROL = /\p{Cc}/u

/** An embedded TrueType font of which only the glyphs that are used end up in the file. */
export class PdfFont {
  readonly #font: Font
  readonly #subset: Subset
  readonly #tag: string
  /** By number in the subset. */
  readonly #widths: number[] = []
  readonly #texts: string[] = []
  readonly #characters = new Map<number, Drawn & { readonly isExact: boolean }>()
  #cache = new Map<string, Glyphs>()
  readonly #missing = new Set<number>()

  /** `tag`: six capitals that tell this subset from others (§9.6.4). */
  constructor(content: Uint8Array, tag: string) {
    this.#font = create(content)
    this.#subset = this.#font.createSubset()
    this.#tag = tag
  }

  /** Code points that were asked for and have no glyph. */
  get missing(): ReadonlySet<number> {
    return this.#missing
  }

  glyphs(text: string): Glyphs {
    const known = this.#cache.get(text)
    if (known) return known
    const made = RIGHT_TO_LEFT.test(text) ? this.#mixed(text) : this.#leftToRight(text)
    if (this.#cache.size >= CACHED_MAX) this.#cache = new Map()
    this.#cache.set(text, made)
    return made
  }

  /** Thousandths of the size that one character takes. */
  widthOf(codePoint: number): number {
    return this.#character(codePoint).width
  }

  #leftToRight(text: string): Glyphs {
    const hex: string[] = []
    let [width, isExact] = [0, true]
    for (const each of text) {
      const drawn = this.#character(each.codePointAt(0) ?? 0)
      hex.push(drawn.hex)
      width += drawn.width
      isExact &&= drawn.isExact
    }
    // joined, not added up: V8 keeps a sum of strings as a tree of its parts, and the cache would hold those
    return { hex: hex.join(''), width, isExact }
  }

  /** Runs of scripts that go from right to left are shaped as a whole. */
  #mixed(text: string): Glyphs {
    let [hex, width, rest] = ['', 0, text]
    for (let match = RIGHT_TO_LEFT.exec(rest); match; match = RIGHT_TO_LEFT.exec(rest)) {
      const before = this.#leftToRight(rest.slice(0, match.index))
      const shaped = this.#shaped(match[0])
      hex += before.hex + shaped.hex
      width += before.width + shaped.width
      rest = rest.slice(match.index + match[0].length)
    }
    const last = this.#leftToRight(rest)
    // the order of the glyphs is not that of the characters
    return { hex: hex + last.hex, width: width + last.width, isExact: false }
  }

  #shaped(text: string): Drawn {
    if (Array.from(text).some((it) => !this.#font.hasGlyphForCodePoint(it.codePointAt(0) ?? 0)))
      return this.#leftToRight(text)
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

  #character(codePoint: number): Drawn & { readonly isExact: boolean } {
    const known = this.#characters.get(codePoint)
    if (known) return known
    const made = this.#draw(codePoint)
    this.#characters.set(codePoint, made)
    return made
  }

  #draw(codePoint: number): Drawn & { readonly isExact: boolean } {
    const text = String.fromCodePoint(codePoint)
    if (INVISIBLE.test(text)) return { hex: '', width: 0, isExact: false }
    if (CONTROL.test(text)) return { ...this.#character(0x20), isExact: false }
    if (!this.#font.hasGlyphForCodePoint(codePoint)) {
      this.#missing.add(codePoint)
      return { ...this.#leftToRight(`‹${nameOfCharacter(codePoint)}›`), isExact: false }
    }
    const { id, advanceWidth } = this.#font.glyphForCodePoint(codePoint)
    const number = this.#subset.includeGlyph(id)
    const width = this.#scaled(advanceWidth)
    this.#widths[number] ??= width
    this.#texts[number] ??= text
    // two characters may share a glyph, which then stands for the first
    return { hex: hexOf(number), width, isExact: this.#texts[number] === text }
  }

  #scaled(units: number): number {
    return Math.round((1_000 * units) / this.#font.unitsPerEm)
  }

  /** Writes the font into the object `id`. */
  write(objects: PdfObjects, id: number): void {
    const { postscriptName, ascent, descent, bbox } = this.#font
    const name = `${this.#tag}+${postscriptName}`
    const content = this.#subset.encode()
    const file = objects.addStream(`/Length1 ${content.length}`, content)
    const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((it) => this.#scaled(it)).join(' ')
    const descriptor = objects.add(
      `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0` +
        `/Ascent ${this.#scaled(ascent)}/Descent ${this.#scaled(descent)}/CapHeight ${this.#scaled(ascent)}` +
        `/StemV 80/FontFile2 ${file} 0 R>>`,
    )
    const widths = this.#widths.map((width) => width ?? 0)
    const descendant = objects.add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)` +
        `/Supplement 0>>/FontDescriptor ${descriptor} 0 R/CIDToGIDMap/Identity/DW 0/W[0[${[...widths].map((it) => it ?? 0).join(' ')}]]>>`,
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

/** As Unicode writes it, such as U+20AC. */
export const nameOfCharacter = (codePoint: number): string =>
  `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`

const hexOf = (number: number): string => number.toString(16).padStart(4, '0')
