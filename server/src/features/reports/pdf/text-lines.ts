import type { PdfFont } from './fonts/pdf-font.ts'

export interface LineLimits {
  readonly font: PdfFont
  readonly size: number
  /** Points. */
  readonly width: number
  readonly linesMax: number
}

export interface Lines {
  readonly lines: readonly string[]
  /** Something of the text did not fit; the last line ends with an ellipsis. */
  readonly isCut: boolean
}

const ELLIPSIS = '…'
/** More of a text never fits into a cell. */
const LENGTH_MAX = 2_000
/** Lines of so few characters are broken at blanks wherever they are. */
const SHORT_LINE = 20
/** A word without blanks, such as an address of mail or a path, is broken behind one of these. */
const JOINTS: ReadonlySet<string> = new Set(['@', '/', '\\', '_', '-', ':', ','])

export const widthOf = (text: string, { font, size }: Pick<LineLimits, 'font' | 'size'>): number =>
  (font.glyphs(text).width * size) / 1_000

/** Breaks a text at blanks, and words that are too long anywhere. */
export function breakLines(text: string, limits: LineLimits): Lines {
  const whole = text.slice(0, LENGTH_MAX)
  if (whole.length < 200 && !/[\r\n]/.test(whole) && widthOf(whole, limits) <= limits.width)
    return { lines: [whole], isCut: text.length > LENGTH_MAX }
  const lines: string[] = []
  let rest = whole.replaceAll(/\s+/g, ' ').trim()
  while (rest !== '' && lines.length < limits.linesMax) {
    const length = fitting(rest, limits)
    lines.push(rest.slice(0, length).trimEnd())
    rest = rest.slice(length).trimStart()
  }
  const isCut = rest !== '' || text.length > LENGTH_MAX
  if (isCut && lines.length > 0) lines.push(withEllipsis(lines.pop() ?? '', limits))
  return { lines, isCut }
}

/** How many UTF-16 units of the text fit into one line; at least one character. */
function fitting(text: string, { font, size, width }: LineLimits): number {
  const available = (width * 1_000) / size
  let [used, at, lastBlank, lastJoint] = [0, 0, 0, 0]
  for (const each of text) {
    used += font.widthOf(each.codePointAt(0) ?? 0)
    if (used > available && at > 0) {
      // a break that leaves most of the line empty is worse than one inside of a word
      if (lastBlank > 0 && (at < SHORT_LINE || lastBlank > at / 3)) return lastBlank
      return lastJoint > at / 3 ? lastJoint : at
    }
    if (each === ' ') lastBlank = at
    at += each.length
    if (JOINTS.has(each)) lastJoint = at
  }
  return at
}

/** With an ellipsis at the end, and without what then no longer fits. */
function withEllipsis(line: string, limits: LineLimits): string {
  const characters = Array.from(line)
  while (characters.length > 0 && widthOf(characters.join('') + ELLIPSIS, limits) > limits.width)
    characters.pop()
  return characters.join('') + ELLIPSIS
}
