import { CurrencySums } from '../budget/currency-sums.ts'
import type { Cell, Row, SectionHead } from '../dataset/dataset.ts'
import { drawChart } from './charts/draw-chart.ts'
import { columnWidths } from './column-widths.ts'
import type { PdfFlow } from './pdf-flow.ts'
import { drawSheet, type Detail } from './pdf-sheets.ts'
import { PdfTable } from './pdf-table.ts'
import type { StructureElement } from './structure.ts'

/** How many rows are measured for the widths of columns and drawn in a picture. */
const SAMPLE_ROWS = 500
/** How many of them may stand on the cover. */
const FIRST_ROWS = 8

/** The rows of a section, as a table or as sheets, after the first of them have said how wide columns are. */
export class SectionBody {
  count = 0
  readonly first: Row[] = []
  readonly #flow: PdfFlow
  readonly #part: StructureElement
  readonly #head: SectionHead
  readonly #counts: number[]
  readonly #amounts = new CurrencySums()
  #waiting: Row[] = []
  #table: PdfTable | undefined

  constructor(flow: PdfFlow, part: StructureElement, head: SectionHead) {
    this.#flow = flow
    this.#part = part
    this.#head = head
    this.#counts = head.columns.map(() => 0)
  }

  add(row: Row): void {
    this.count += 1
    if (this.first.length < FIRST_ROWS) this.first.push(row)
    row.forEach((cell, at) => {
      if (typeof cell === 'number') this.#counts[at] = (this.#counts[at] ?? 0) + cell
    })
    const { sum } = this.#head
    if (sum) this.#amounts.add(this.#cell(row, sum.amount), this.#cell(row, sum.currency))
    if (this.#table) this.#table.row(row)
    else if (this.#waiting.push(row) >= SAMPLE_ROWS) this.#begin({ isWhole: false })
  }

  addSheet(row: Row, details: readonly Detail[], url: string | undefined): void {
    this.count += 1
    drawSheet(this.#flow, this.#part, { columns: this.#head.columns, row, details, url })
  }

  end(): void {
    const { head, flow } = { head: this.#head, flow: this.#flow }
    if (this.count === 0)
      flow.paragraph(this.#part, head.empty ?? 'There is nothing to show.', { style: flow.styles.label })
    if (head.layout === 'sheets' || this.count === 0) return
    if (!this.#table) this.#begin({ isWhole: true })
    const style = { ...flow.styles.bold, size: flow.styles.small.size }
    for (const row of this.#totals()) this.#table?.row(row, { style })
    this.#table?.end()
  }

  #cell(row: Row, name: string): Cell {
    return row[this.#head.columns.findIndex((it) => it.name === name)] ?? null
  }

  #totals(): Row[] {
    const { columns, isSummed, sum } = this.#head
    const counts = columns.map(({ kind }, at) =>
      kind === 'integer' ? (this.#counts[at] ?? 0) : at === 0 ? 'Total' : null,
    )
    const amounts = this.#amounts.all.map(({ currency, amount }) =>
      columns.map(({ name }, at) => {
        if (name === sum?.amount) return amount
        return name === sum?.currency ? currency : at === 0 ? 'Total' : null
      }),
    )
    return [...(isSummed ? [counts] : []), ...amounts]
  }

  #begin({ isWhole }: { readonly isWhole: boolean }): void {
    const { columns } = this.#head
    const flow = this.#flow
    drawChart(flow, this.#part, this.#head, { rows: this.#waiting, isWhole })
    const widths = columnWidths(columns, this.#waiting, { styles: flow.styles, available: flow.width })
    this.#table = new PdfTable(flow, this.#part, { columns, widths })
    for (const row of this.#waiting) this.#table.row(row)
    this.#waiting = []
  }
}
