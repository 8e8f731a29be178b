/** What is used of fontkit 2, which brings no types. */
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number
    readonly codePoints: readonly number[]
    readonly advanceWidth: number
  }
  export interface GlyphRun {
    readonly glyphs: readonly Glyph[]
    readonly positions: readonly { readonly xAdvance: number }[]
  }
  export interface Subset {
    /** The glyph's number in the subset. */
    includeGlyph(id: number): number
    /** A TrueType font, or the CFF table of an OpenType font. */
    encode(): Uint8Array
    /** Present where outlines are those of PostScript (CFF). */
    readonly cff?: unknown
  }
  export interface Font {
    readonly postscriptName: string
    readonly unitsPerEm: number
    readonly ascent: number
    readonly descent: number
    readonly bbox: {
      readonly minX: number
      readonly minY: number
      readonly maxX: number
      readonly maxY: number
    }
    /** By tag; places in the file. */
    readonly directory: {
      readonly tables: Readonly<Record<string, { readonly offset: number; readonly length: number }>>
    }
    /** What its licence permits, as bits of the font say it. */
    readonly 'OS/2'?: { readonly fsType: { readonly noEmbedding: boolean } }
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    layout(text: string): GlyphRun
    createSubset(): Subset
  }
  export interface FontCollection {
    readonly fonts: readonly Font[]
  }
  export function create(content: Uint8Array): Font | FontCollection
}
