import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#platform/errors.ts'
import { openFont } from './open-font.ts'
import { OtherFonts } from './other-fonts.ts'

const file = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf')
const whole = readFileSync(file)
const SMALL_G = 0x210a

/** The font with other names of its tables: what it has of them, a program that reads it does not find. */
function renamed(names: Readonly<Record<string, string>>): Buffer {
  const font = Buffer.from(whole)
  const head = 12 + 16 * font.readUInt16BE(4)
  for (const [from, to] of Object.entries(names)) font.write(to, font.subarray(0, head).indexOf(from))
  return font
}

const unusable: readonly (readonly [string, Buffer, string])[] = [
  ['an empty file', Buffer.alloc(0), 'no font, or a broken one'],
  ['text', Buffer.from('<!doctype html>'), 'no font, or a broken one'],
  ['one cut off within its directory', whole.subarray(0, 100), 'no font, or a broken one'],
  ['one cut off in the middle', whole.subarray(0, whole.length / 2), 'cut off'],
  ['one without its last bytes', whole.subarray(0, -64), 'cut off'],
  ['bitmaps in colour', renamed({ glyf: 'CBDT', loca: 'CBLC' }), 'has no outlines'],
  ['outlines of CFF2', renamed({ glyf: 'CFF2', loca: 'loc2' }), 'has no outlines'],
  ['layers in colour', renamed({ GPOS: 'COLR', GSUB: 'CPAL' }), 'in colours'],
  ['one without metrics', renamed({ hmtx: 'hmt2' }), 'no font, or a broken one'],
  ['one without a map of characters', renamed({ cmap: 'cma2' }), 'no font, or a broken one'],
  ['one without a header', renamed({ head: 'hea2' }), 'no font, or a broken one'],
]

describe('a font that cannot be used is passed over, and the next draws the character', () => {
  test.each(unusable)('%s', (_, content, why) => {
    expect(openFont(content)).toEqual({ unusable: expect.stringContaining(why) })
    const found = new OtherFonts([() => content, () => whole]).with(SMALL_G)
    expect(found?.name).toBe('F3')
    expect(found?.font.character(SMALL_G).width).toBeGreaterThan(0)
  })

  test('and when there is no other, there is none', () => {
    const fonts = new OtherFonts(
      unusable.map(
        ([, content]) =>
          () =>
            content,
      ),
    )
    expect([fonts.with(SMALL_G), fonts.used]).toEqual([undefined, []])
  })

  test('a font that is not there any more still refuses', () => {
    const gone = () => {
      throw new Refusal(500, 'report_failed', 'the font is gone')
    }
    expect(() => new OtherFonts([gone, () => whole]).with(SMALL_G)).toThrow('the font is gone')
  })
})
