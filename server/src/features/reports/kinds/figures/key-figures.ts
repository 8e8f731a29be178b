import type { CurrencySums } from '../../budget/currency-sums.ts'
import type { Cell, SectionHead } from '../../dataset/dataset.ts'

type NamedCells = Readonly<Record<string, Cell | undefined>>

/** A number that says something of the whole report. */
export interface KeyFigure {
  readonly figure: string
  /** A decimal number; null: not known. */
  readonly value: string | number | null
  /** What it is counted in, such as a currency, or what it is a part of. */
  readonly unit?: string
}

/** Worked out of the rows of the report itself, as they are collected, so that they agree with its tables. */
export interface KeyFigures {
  /** By the names of sections: is told each of their rows. */
  readonly see: Readonly<Record<string, (row: NamedCells) => void>>
  /** Asked when all rows have been seen, with the names of the sections that are in the report. */
  readonly figures: (sections: ReadonlySet<string>) => readonly KeyFigure[]
}

export const figureSection = {
  name: 'key_figures',
  title: 'Key figures',
  layout: 'figures',
  columns: [
    { name: 'figure', title: 'Figure', kind: 'text' },
    { name: 'value', title: 'Value', kind: 'decimal' },
    { name: 'unit', title: 'Unit', kind: 'text' },
  ],
} as const satisfies SectionHead

/** How many rows there are, how many of them hold something, and the like. */
export class Tally<K extends string> {
  readonly #counts = new Map<K, number>()

  /** A number, or one for what is true; nothing for what is not known. */
  add(name: K, count: Cell | undefined): void {
    if (typeof count === 'number') this.#counts.set(name, this.of(name) + count)
    if (count === true) this.#counts.set(name, this.of(name) + 1)
  }

  of(name: K): number {
    return this.#counts.get(name) ?? 0
  }
}

/** A number of rows, of which at most so many are read. */
export const atMost = (value: number, most: number): Pick<KeyFigure, 'value' | 'unit'> =>
  value < most ? { value } : { value, unit: 'or more' }

/** A figure for each currency. */
export const amountFigures = (figure: string, sums: CurrencySums): KeyFigure[] =>
  sums.all.map(({ currency, amount }) => ({ figure, value: amount, unit: currency }))
