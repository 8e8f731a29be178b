import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFont } from '../pdf/fonts/open-font.ts'
import { chosenIn, FONTS_MAX } from './operator-fonts.ts'

export interface TriedFonts {
  readonly usable: readonly string[]
  /** With the reason, such as `a.ttf (cut off)`. */
  readonly passedOver: readonly string[]
}

/** Opens each font of the folder as reports do. Throws when the folder or a file of it cannot be read. */
export async function triedFonts(folder: string): Promise<TriedFonts> {
  const { names, leftOut } = await chosenIn(folder)
  const usable: string[] = []
  const passedOver = leftOut.map((name) => `${name} (beyond ${FONTS_MAX} fonts or 64 MB)`)
  for (const name of names) {
    const opened = openFont(await readFile(join(folder, name)))
    if ('font' in opened) usable.push(name)
    else passedOver.push(`${name} (${opened.unusable})`)
  }
  return { usable, passedOver }
}
