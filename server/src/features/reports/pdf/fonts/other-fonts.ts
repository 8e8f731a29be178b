import { EmbeddedFont } from './embedded-font.ts'
import { openFont } from './open-font.ts'

export interface OtherFont {
  /** As the resources of a page name it. */
  readonly name: string
  readonly font: EmbeddedFont
}

/** The two fonts of every file come before them. */
const FIRST = 3
const A = 65

/** Fonts for characters that those of the product do not have; read when the first such character comes. One that cannot be used, or may not be embedded, is passed over. */
export class OtherFonts {
  readonly #unread: (() => Uint8Array)[]
  readonly #read: OtherFont[] = []

  /** Asked in this order. */
  constructor(files: readonly (() => Uint8Array)[] = []) {
    this.#unread = [...files]
  }

  /** Those of which something is drawn. */
  get used(): readonly OtherFont[] {
    return this.#read.filter(({ font }) => font.isUsed)
  }

  named(name: string): EmbeddedFont | undefined {
    return this.#read.find((it) => it.name === name)?.font
  }

  with(codePoint: number): OtherFont | undefined {
    return this.withAll([codePoint])
  }

  /** The first one that has all of them. */
  withAll(codePoints: readonly number[]): OtherFont | undefined {
    const hasAll = ({ font }: OtherFont): boolean => codePoints.every((it) => font.has(it))
    const found = this.#read.find(hasAll)
    if (found) return found
    for (let file = this.#unread.shift(); file; file = this.#unread.shift()) {
      const opened = openFont(file())
      if ('unusable' in opened) continue
      const at = this.#read.length
      const next = {
        name: `F${FIRST + at}`,
        font: new EmbeddedFont(opened.font, `ROLLO${String.fromCodePoint(A + at)}`),
      }
      this.#read.push(next)
      if (hasAll(next)) return next
    }
    return undefined
  }
}
