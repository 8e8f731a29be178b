import { create, type Font } from 'fontkit'

export type OpenedFont = { readonly font: Font } | { readonly unusable: string }

/** The font of a file, of a collection the first; or why no PDF can be made with it, in a few words. */
export function openFont(content: Uint8Array): OpenedFont {
  try {
    const found = create(content)
    const font = 'fonts' in found ? found.fonts[0] : found
    if (!font) return { unusable: 'a collection without fonts' }
    const unusable = whyUnusable(font, content.length)
    return unusable === undefined ? { font } : { unusable }
  } catch {
    return { unusable: 'no font, or a broken one' }
  }
}

function whyUnusable(font: Font, bytes: number): string | undefined {
  const { tables } = font.directory
  if (Object.values(tables).some(({ offset, length }) => offset + length > bytes)) return 'cut off'
  if (font['OS/2']?.fsType.noEmbedding) return 'forbids embedding'
  // pictures in their place (CBDT, SVG), or outlines of which fontkit makes no subset (CFF2)
  if (!('CFF ' in tables || ('glyf' in tables && 'loca' in tables)))
    return 'has no outlines of TrueType or CFF'
  if ('COLR' in tables && 'CPAL' in tables) return 'its glyphs are in colours'
  tryOut(font)
  return undefined
}

/** Tables are read when they are first needed: all that a PDF needs are read here, and throw when they are broken. */
function tryOut(font: Font): void {
  font.createSubset().encode()
  font.hasGlyphForCodePoint(0x20)
  const { unitsPerEm, ascent, descent, bbox } = font
  if (![unitsPerEm, ascent, descent, bbox.minX].every(Number.isFinite)) throw new Error('no metrics')
}
