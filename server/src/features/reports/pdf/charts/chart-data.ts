import type { Cell, Column, Row, SectionHead } from '../../dataset/dataset.ts'
import { grouped, readableCell } from '../cell-text.ts'

/** What charts show of the rows of a section, before anything is drawn. */

export interface Bar {
  readonly label: string
  readonly value: number
  /** The value as people read it. */
  readonly said: string
}

export interface Pair extends Bar {
  readonly second: number
}

export interface Point {
  readonly label: string
  /** Undefined: not known, which leaves a gap. */
  readonly value: number | undefined
  readonly said: string
}

export interface Stack extends Bar {
  /** In the order of the series; those of zero are left out. */
  readonly parts: readonly (Bar & { readonly series: number })[]
}

export interface Stacks {
  readonly series: readonly string[]
  readonly stacks: readonly Stack[]
}

const BARS_MAX = 8
const PAIRS_MAX = 12
/** With the last one for all others. */
const SERIES_MAX = 8
const UNKNOWN = 'not known'

export interface OfUnit {
  /** Undefined: the section has no column of units. */
  readonly unit: string | undefined
  readonly rows: readonly Row[]
}

/** Rows whose values may be compared and added up. Those without a unit are in no picture. */
export function byUnit({ chart, columns }: SectionHead, rows: readonly Row[]): OfUnit[] {
  if (chart?.unit === undefined) return [{ unit: undefined, rows }]
  const at = placeOf(columns, chart.unit)
  return [...Map.groupBy(rows, (row) => row[at] ?? null)].flatMap(([unit, found]) =>
    unit === null ? [] : { unit: String(unit), rows: found },
  )
}

/**
 * A bar for each row whose value is known: of a time series for all, else for the first ones, and where values add up a
 * last one for all others. `isWhole`: these are all rows of the section.
 */
export function barsOf(head: SectionHead, rows: readonly Row[], isWhole: boolean): Bar[] {
  const bars = pointsOf(head, rows).flatMap(({ label, value, said }) =>
    value === undefined ? [] : { label, value, said },
  )
  if (head.chart?.isTimeSeries) return bars
  const [first, rest] = [bars.slice(0, BARS_MAX), bars.slice(BARS_MAX)]
  if (rest.length === 0 || !head.chart?.isSummable || !isWhole) return first
  const value = sum(rest)
  return [...first, { label: `${rest.length} others`, value, said: saidOf(value, valueColumn(head)) }]
}

/** A point for each row. */
export function pointsOf({ chart, columns }: SectionHead, rows: readonly Row[]): Point[] {
  const [label, value] = [placeOf(columns, chart?.label), placeOf(columns, chart?.value)]
  const [labelColumn, column] = [columns[label], columns[value]]
  if (!column || !labelColumn) return []
  return rows.map((row) => {
    const cell = row[value] ?? null
    return {
      label: readableCell(row[label] ?? null, labelColumn) || UNKNOWN,
      value: numberOf(cell),
      said: readableCell(cell, column) || UNKNOWN,
    }
  })
}

/** Rows of which both numbers are known. */
export function pairsOf(head: SectionHead, rows: readonly Row[]): Pair[] {
  const second = placeOf(head.columns, head.chart?.second)
  return pointsOf(head, rows)
    .flatMap(({ value, ...point }, at) => {
      const after = numberOf(rows[at]?.[second] ?? null)
      return value === undefined || after === undefined ? [] : { ...point, value, second: after }
    })
    .slice(0, PAIRS_MAX)
}

/** A bar for each label, in the order of the rows, of parts that add up; the largest series first. */
export function stacksOf(head: SectionHead, rows: readonly Row[]): Stacks {
  const at = placeOf(head.columns, head.chart?.series)
  const found = pointsOf(head, rows).flatMap(({ label, value }, n) =>
    value === undefined ? [] : { label, value, series: String(rows[n]?.[at] ?? UNKNOWN) },
  )
  const totals = [...Map.groupBy(found, ({ series }) => series)]
    .map(([series, all]) => ({ series, total: sum(all) }))
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total || (a.series < b.series ? -1 : 1))
  const hasOthers = totals.length > SERIES_MAX
  const named = totals.slice(0, hasOthers ? SERIES_MAX - 1 : SERIES_MAX).map(({ series }) => series)
  const series = hasOthers ? [...named, `${totals.length - named.length} others`] : named
  const column = valueColumn(head)
  const stacks = [...Map.groupBy(found, ({ label }) => label)].map(([label, all]) => {
    const bySeries = Map.groupBy(all, (it) => {
      const place = named.indexOf(it.series)
      return place < 0 ? series.length - 1 : place
    })
    const parts = series.flatMap((name, n) => {
      const value = sum(bySeries.get(n) ?? [])
      return value > 0 ? { series: n, label: name, value, said: saidOf(value, column) } : []
    })
    const value = sum(all)
    return { label, value, said: saidOf(value, column), parts }
  })
  return { series, stacks }
}

const placeOf = (columns: readonly Column[], name: string | undefined): number =>
  columns.findIndex((it) => it.name === name)

const valueColumn = ({ chart, columns }: SectionHead): Column | undefined =>
  columns[placeOf(columns, chart?.value)]

/** Unknown is not zero. */
function numberOf(cell: Cell): number | undefined {
  const number = cell === null || typeof cell === 'boolean' ? Number.NaN : Number(cell)
  return Number.isFinite(number) ? number : undefined
}

/** Money is in cents, which floating point adds up exactly as whole numbers. */
const sum = (all: readonly { readonly value: number }[]): number =>
  all.reduce((cents, { value }) => cents + Math.round(value * 100), 0) / 100

const saidOf = (value: number, column: Column | undefined): string =>
  grouped(column?.kind === 'decimal' ? value.toFixed(2) : String(value))
