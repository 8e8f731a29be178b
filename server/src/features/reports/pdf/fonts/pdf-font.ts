import type { Drawn, EmbeddedFont } from './embedded-font.ts'
import type { OtherFonts } from './other-fonts.ts'

/** Text as a font draws it. */
export interface Glyphs extends Drawn {
  /** What is drawn is the text; otherwise characters were left out or drawn as their code point. */
  readonly isExact: boolean
  /** Where other fonts draw a part of it: all parts, in their order. `hex` is then empty. */
  readonly runs?: readonly Run[]
}

/** Glyphs of one font after each other. */
export interface Run {
  /** As the resources of a page name the font. */
  readonly font: string
  readonly hex: string
}

interface Character extends Drawn {
  readonly isExact: boolean
  /** Absent: it is drawn in the font of the text. */
  readonly font?: string
}

const CACHED_MAX = 20_000
/** Hebrew, Arabic and their presentation forms: drawn from right to left, and letters change their form. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+(?:\s+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+)*/
/** They change how others are drawn, and are nothing themselves; or they cannot be drawn at all. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
const CONTROL = /\p{Cc}/u

/** Draws text in an embedded font, and in other fonts what that one does not have. */
export class PdfFont {
  /** As the resources of a page name it. */
  readonly name: string
  readonly embedded: EmbeddedFont
  readonly #others: OtherFonts
  readonly #characters = new Map<number, Character>()
  #cache = new Map<string, Glyphs>()
  readonly #missing = new Set<number>()

  constructor(name: string, embedded: EmbeddedFont, others: OtherFonts) {
    this.name = name
    this.embedded = embedded
    this.#others = others
  }

  /** Code points that were asked for and have no glyph in any font. */
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
      if (drawn.font !== undefined) return this.#inSeveralFonts(text)
      hex.push(drawn.hex)
      width += drawn.width
      isExact &&= drawn.isExact
    }
    // joined, not added up: V8 keeps a sum of strings as a tree of its parts, and the cache would hold those
    return { hex: hex.join(''), width, isExact }
  }

  /** What another font draws is shaped as a whole: scripts that need it are among those that it is there for. */
  #inSeveralFonts(text: string): Glyphs {
    const runs: Run[] = []
    let [width, isExact] = [0, true]
    for (const part of this.#partsOf(text)) {
      const other = part.font === this.name ? undefined : this.#others.named(part.font)
      const drawn = other ? { ...other.shaped(part.text), isExact: false } : this.#leftToRight(part.text)
      runs.push({ font: part.font, hex: drawn.hex })
      width += drawn.width
      isExact &&= drawn.isExact
    }
    return { hex: '', width, isExact, runs }
  }

  #partsOf(text: string): { readonly font: string; readonly text: string }[] {
    const parts: { font: string; text: string }[] = []
    for (const each of text) {
      const { font = this.name } = this.#character(each.codePointAt(0) ?? 0)
      const last = parts.at(-1)
      if (last?.font === font) last.text += each
      else parts.push({ font, text: each })
    }
    return parts
  }

  /** Runs of scripts that go from right to left are shaped as a whole. */
  #mixed(text: string): Glyphs {
    const parts: Glyphs[] = []
    let rest = text
    for (let match = RIGHT_TO_LEFT.exec(rest); match; match = RIGHT_TO_LEFT.exec(rest)) {
      parts.push(this.#leftToRight(rest.slice(0, match.index)), this.#shaped(match[0]))
      rest = rest.slice(match.index + match[0].length)
    }
    parts.push(this.#leftToRight(rest))
    const width = parts.reduce((sum, it) => sum + it.width, 0)
    // the order of the glyphs is not that of the characters
    const isExact = false
    if (parts.every(({ runs }) => !runs)) return { hex: parts.map(({ hex }) => hex).join(''), width, isExact }
    return { hex: '', width, isExact, runs: parts.flatMap((it) => this.#runsOf(it)) }
  }

  #runsOf({ runs, hex }: Glyphs): readonly Run[] {
    return runs ?? (hex === '' ? [] : [{ font: this.name, hex }])
  }

  #shaped(text: string): Glyphs {
    const points = Array.from(text, (it) => it.codePointAt(0) ?? 0)
    if (points.every((it) => this.embedded.has(it))) return { ...this.embedded.shaped(text), isExact: false }
    const other = this.#others.withAll(points)
    if (!other) return this.#leftToRight(text)
    const { hex, width } = other.font.shaped(text)
    return { hex: '', width, isExact: false, runs: [{ font: other.name, hex }] }
  }

  #character(codePoint: number): Character {
    const known = this.#characters.get(codePoint)
    if (known) return known
    const made = this.#draw(codePoint)
    this.#characters.set(codePoint, made)
    return made
  }

  #draw(codePoint: number): Character {
    const text = String.fromCodePoint(codePoint)
    if (INVISIBLE.test(text)) return { hex: '', width: 0, isExact: false }
    if (CONTROL.test(text)) return { ...this.#character(0x20), isExact: false }
    if (this.embedded.has(codePoint)) return this.embedded.character(codePoint)
    const other = this.#others.with(codePoint)
    if (other) return { ...other.font.character(codePoint), font: other.name }
    this.#missing.add(codePoint)
    return { ...this.#leftToRight(`‹${nameOfCharacter(codePoint)}›`), isExact: false }
  }
}

/** As Unicode writes it, such as U+20AC. */
export const nameOfCharacter = (codePoint: number): string =>
  `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
