import type { Column, Row } from '../dataset/dataset.ts'
import { headText, readableCell } from './cell-text.ts'
import type { Styles } from './pdf-flow.ts'
import { widthOf } from './text-lines.ts'

export const CELL_PADDING = 3
const MIN = 26
/** What a cell of text may ask for at first; longer ones are broken. */
const TEXT_MAX = 190
/** What it gets at the most where the other columns leave room. */
const LONG_TEXT_MAX = 400
/** Of a text that is measured. */
const MEASURED_LENGTH = 120
/** A table that is nearly as wide as the page fills it. */
const FILLED_SHARE = 0.6

interface Wanted {
  /** Of the head on one line, on two, and a line for each word. */
  readonly heads: readonly [number, number, number]
  readonly body: number
}

/** Widths of columns, by the content of the rows given, which together are `available` at the most. */
export function columnWidths(
  columns: readonly Column[],
  sample: readonly Row[],
  { styles, available }: { readonly styles: Styles; readonly available: number },
): number[] {
  const wanted = columns.map((column, at): Wanted => {
    const body = sample.reduce(
      (most, row) => Math.max(most, cellWidth(readableCell(row[at] ?? null, column), styles)),
      0,
    )
    return { heads: headWidths(headText(column), styles), body }
  })
  const [oneLine, twoLines, words] = [0, 1, 2].map((lines) => wanted.map((it) => outerWidth(it, lines))) as [
    number[],
    number[],
    number[],
  ]
  const fitting = [oneLine, twoLines, words].find((it) => sumOf(it) <= available)
  if (!fitting) return shrunk(words, available)
  const longer = withLongTexts(fitting, wanted, available)
  const sum = sumOf(longer)
  return sum > available * FILLED_SHARE ? longer.map((it) => (it * available) / sum) : longer
}

const sumOf = (widths: readonly number[]): number => widths.reduce((a, b) => a + b, 0)

const outerWidth = ({ heads, body }: Wanted, lines: number): number =>
  Math.max(MIN, heads[lines] ?? 0, Math.min(body, TEXT_MAX)) + 2 * CELL_PADDING + 1

const cellWidth = (text: string, { small }: Styles): number => widthOf(text.slice(0, MEASURED_LENGTH), small)

function headWidths(text: string, { head }: Styles): Wanted['heads'] {
  const words = text.split(' ')
  const part = (from: number, until?: number): number => widthOf(words.slice(from, until).join(' '), head)
  const halves = words.map((_, at) => Math.max(part(0, at + 1), part(at + 1)))
  return [widthOf(text, head), Math.min(...halves), Math.max(...words.map((it) => widthOf(it, head)))]
}

/** What is left goes to the columns whose texts would be broken. */
function withLongTexts(widths: readonly number[], wanted: readonly Wanted[], available: number): number[] {
  const missing = wanted.map(({ body }) => Math.max(0, Math.min(body, LONG_TEXT_MAX) - TEXT_MAX))
  const sum = sumOf(missing)
  if (sum === 0) return [...widths]
  const share = Math.min(1, (available - sumOf(widths)) / sum)
  return widths.map((it, at) => it + (missing[at] ?? 0) * share)
}

/** The widest give way first, until all fit. */
function shrunk(wanted: readonly number[], available: number): number[] {
  let [low, high] = [0, Math.max(...wanted)]
  for (let step = 0; step < 40; step += 1) {
    const cap = (low + high) / 2
    const sum = wanted.reduce((total, it) => total + Math.min(it, cap), 0)
    if (sum > available) high = cap
    else low = cap
  }
  return wanted.map((it) => Math.min(it, low))
}
