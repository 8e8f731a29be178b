import type { Column, Row } from '../dataset/dataset.ts'
import { headText, readableCell } from './cell-text.ts'
import type { Styles } from './pdf-flow.ts'
import { widthOf } from './text-lines.ts'

export const CELL_PADDING = 3
const MIN = 26
/** What a cell of text may ask for at the most; longer ones are broken. */
const TEXT_MAX = 190

/** Widths of columns, by the content of the rows given, which together are `available` at the most. */
export function columnWidths(
  columns: readonly Column[],
  sample: readonly Row[],
  { styles, available }: { readonly styles: Styles; readonly available: number },
): number[] {
  const wanted = columns.map((column, at) => {
    const head = Math.max(
      ...headText(column)
        .split(' ')
        .map((word) => widthOf(word, styles.head)),
    )
    const body = sample.reduce(
      (most, row) => Math.max(most, cellWidth(readableCell(row[at] ?? null, column), styles)),
      0,
    )
    return Math.max(MIN, head, Math.min(body, TEXT_MAX)) + 2 * CELL_PADDING + 1
  })
  const sum = wanted.reduce((a, b) => a + b, 0)
  if (sum <= available) {
    // a table that is nearly as wide as the page fills it
    const stretch = sum > available * 0.6 ? available / sum : 1
    return wanted.map((it) => it * stretch)
  }
  return shrunk(wanted, available)
}

const cellWidth = (text: string, { small }: Styles): number => widthOf(text.slice(0, 80), small)

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
