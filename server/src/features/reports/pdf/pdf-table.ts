import type { Column, Row } from '../dataset/dataset.ts'
import { headText, readableCell } from './cell-text.ts'
import { CELL_PADDING } from './column-widths.ts'
import { ACCENT, lineHeight, MARGIN, SHADE, type PdfFlow } from './pdf-flow.ts'
import type { Destination } from './pdf-link.ts'
import type { TextStyle } from './pdf-page.ts'
import type { StructureElement } from './structure.ts'
import { breakLines } from './text-lines.ts'

const LINES_MAX = 4
const COLUMN_HEADER = '/A<</O/Table/Scope/Column>>'

export interface PdfTableOptions {
  readonly columns: readonly Column[]
  readonly widths: readonly number[]
  /** Without colours, for a small table among others. */
  readonly isPlain?: boolean
}

interface CellOptions {
  readonly style: TextStyle
  readonly leadsTo?: Destination | undefined
}

export type RowOptions = Partial<CellOptions>

/**
 * A table over as many pages as it needs. On each page it is an element of its own with its header row, so that the
 * elements of a long table need not stay in memory, and a row is never split.
 */
export class PdfTable {
  readonly #flow: PdfFlow
  readonly #parent: StructureElement
  readonly #columns: readonly Column[]
  readonly #widths: readonly number[]
  readonly #isPlain: boolean
  readonly #space: number
  #table: StructureElement | undefined
  #rows = 0

  constructor(
    flow: PdfFlow,
    parent: StructureElement,
    { columns, widths, isPlain = false }: PdfTableOptions,
  ) {
    this.#flow = flow
    this.#parent = parent
    this.#columns = columns
    this.#widths = widths
    this.#isPlain = isPlain
    this.#space = isPlain ? 1 : CELL_PADDING
  }

  /** `leadsTo`: where the text of the first cell leads. */
  row(row: Row, { style = this.#flow.styles.small, leadsTo }: RowOptions = {}): void {
    const flow = this.#flow
    const texts = this.#columns.map((column, at) => readableCell(row[at] ?? null, column))
    const height = this.#heightOf(texts, style)
    if (!this.#table) this.#open(height)
    else if (!flow.fits(height)) {
      this.end()
      flow.newPage()
      this.#open(height)
    }
    const isShaded = (this.#rows += 1) % 2 === 0 && !this.#isPlain
    if (isShaded)
      flow.page.artifact(() => flow.page.fill({ x: MARGIN, y: flow.y, width: this.#width, height }, SHADE))
    this.#cells('TD', texts, { style, leadsTo })
    flow.y += height
  }

  /** The header row alone, where there are no rows. */
  empty(): void {
    if (!this.#table) this.#open(0)
  }

  end(): void {
    this.#table?.close()
    this.#table = undefined
  }

  get #width(): number {
    return this.#widths.reduce((a, b) => a + b, 0)
  }

  /** With room for the row that comes first. */
  #open(firstRow: number): void {
    const flow = this.#flow
    const head = this.#isPlain ? flow.styles.label : flow.styles.head
    const texts = this.#columns.map((it) => headText(it))
    const height = this.#heightOf(texts, head)
    if (!flow.fits(height + firstRow)) flow.newPage()
    this.#table = this.#parent.child('Table')
    if (!this.#isPlain)
      flow.page.artifact(() => flow.page.fill({ x: MARGIN, y: flow.y, width: this.#width, height }, ACCENT))
    this.#cells('TH', texts, { style: head })
    flow.y += height
    this.#rows = 0
  }

  #cells(type: 'TH' | 'TD', texts: readonly string[], { style, leadsTo }: CellOptions): void {
    const flow = this.#flow
    const row = this.#table?.child('TR')
    if (!row) throw new Error('a row outside of a table')
    let x = MARGIN
    texts.forEach((text, at) => {
      const width = this.#widths[at] ?? 0
      const cell = row.child(type, type === 'TH' ? { entries: COLUMN_HEADER } : {})
      const box = { x: x + CELL_PADDING, y: flow.y + this.#space, width: width - 2 * CELL_PADDING, height: 0 }
      const drawIn = (element: StructureElement): void => {
        flow.textIn(element, text, {
          type,
          style,
          linesMax: LINES_MAX,
          box,
          ...(isNumber(this.#columns[at]) && { align: 'right' as const }),
        })
      }
      if (text !== '' && leadsTo && at === 0) {
        const link = { box: { ...box, height: lineHeight(style) }, to: leadsTo, says: text }
        flow.document.link(flow.page, cell, link, drawIn)
      } else if (text !== '') drawIn(cell)
      cell.close()
      x += width
    })
    row.close()
  }

  #heightOf(texts: readonly string[], style: TextStyle): number {
    const { font, size } = style
    const lines = texts.map((text, at) => {
      const width = (this.#widths[at] ?? 0) - 2 * CELL_PADDING
      return text === '' ? 1 : breakLines(text, { font, size, width, linesMax: LINES_MAX }).lines.length
    })
    return Math.max(1, ...lines) * lineHeight(style) + 2 * this.#space - 1
  }
}

const isNumber = (column: Column | undefined): boolean =>
  column?.kind === 'integer' || column?.kind === 'decimal'
