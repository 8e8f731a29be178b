import type { Cell, Column, Row } from '../dataset/dataset.ts'

/** What two datasets of the same kind say differently in their main table. */

/** By which columns a row of a main table is known again, by the name of its section. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  assets: ['id'],
  replacements: ['asset'],
  controls: ['framework', 'control'],
  products: ['product', 'vendor', 'metric'],
  summary: ['type', 'device_type', 'vendor', 'os', 'site', 'source'],
  links: ['a', 'a_port', 'b', 'b_port', 'kind', 'vlan'],
  measures: ['measure', 'unit'],
}

/** Rows of one key that are searched for an equal one; beyond it their order alone pairs them. */
const REPEATED_MAX = 500

export interface ComparedRow {
  readonly key: string
  /** What people call it. */
  readonly name: string
  /** Empty for what was added or is gone. */
  readonly cells: readonly ChangedCell[]
}

export interface ChangedCell {
  readonly column: string
  readonly before: Cell
  readonly after: Cell
}

export interface Comparison {
  readonly added: readonly ComparedRow[]
  readonly gone: readonly ComparedRow[]
  readonly changed: readonly ComparedRow[]
  readonly unchanged: number
}

export interface MainTable {
  readonly section: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

/**
 * Rows in the order of their tables. Times are not compared: an asset that was seen again is the same asset. Of rows
 * with the same key, as two things of the same name have, those that say the same are the same, the others in their order.
 */
export function compareRows(before: MainTable, after: MainTable): Comparison {
  const shared = after.columns.flatMap((column, at) => {
    const former = before.columns.findIndex(({ name }) => name === column.name)
    return former < 0 || column.kind === 'instant' ? [] : [{ column, former, at }]
  })
  const cellsOf = (was: Row, is: Row): ChangedCell[] =>
    shared.flatMap(({ column, former, at }): ChangedCell[] => {
      const [earlier, later] = [was[former] ?? null, is[at] ?? null]
      return earlier === later ? [] : [{ column: column.title, before: earlier, after: later }]
    })
  const { pairs, unpaired } = paired(before, after, (was, is) => cellsOf(was, is).length === 0)
  const [added, changed]: [ComparedRow[], ComparedRow[]] = [[], []]
  for (const row of after.rows) {
    const former = pairs.get(row)
    const known = { key: keyOf(after, row), name: nameOf(after, row) }
    const cells = former ? cellsOf(former, row) : []
    if (!former) added.push({ ...known, cells })
    else if (cells.length > 0) changed.push({ ...known, cells })
  }
  const gone = unpaired.map((row) => ({ key: keyOf(before, row), name: nameOf(before, row), cells: [] }))
  return { added, gone, changed, unchanged: after.rows.length - added.length - changed.length }
}

/** The earlier row of each later one that has any, and the earlier rows that are left. */
function paired(before: MainTable, after: MainTable, isSame: (was: Row, is: Row) => boolean) {
  const earlier = Map.groupBy(before.rows, (row) => keyOf(before, row))
  const later = Map.groupBy(after.rows, (row) => keyOf(after, row))
  const pairs = new Map<Row, Row>()
  const used = new Set<Row>()
  const pair = (was: Row | undefined, is: Row): void => {
    if (!was) return
    pairs.set(is, was)
    used.add(was)
  }
  for (const [key, rows] of later) {
    const former = (earlier.get(key) ?? []).slice(0, REPEATED_MAX)
    // a key that stands for one row on either side needs no search
    if (former.length > 1 || rows.length > 1)
      for (const is of rows.slice(0, REPEATED_MAX))
        pair(
          former.find((was) => !used.has(was) && isSame(was, is)),
          is,
        )
    const left = (earlier.get(key) ?? []).filter((was) => !used.has(was))
    for (const is of rows) if (!pairs.has(is)) pair(left.shift(), is)
  }
  return { pairs, unpaired: before.rows.filter((row) => !used.has(row)) }
}

function keyOf({ section, columns }: MainTable, row: Row): string {
  const wanted = keysOf[section] ?? []
  const cells = columns.flatMap(({ name }, at) => (wanted.includes(name) ? [row[at] ?? null] : []))
  return wanted.length === 1 ? String(cells[0]) : JSON.stringify(cells)
}

/** The column `name`, else what the row is known by. */
function nameOf(table: MainTable, row: Row): string {
  const at = table.columns.findIndex(({ name }) => name === 'name')
  const wanted = keysOf[table.section] ?? []
  const cells = table.columns.flatMap(({ name }, n) => (wanted.includes(name) ? [row[n] ?? null] : []))
  const name = at >= 0 ? row[at] : cells.filter((it) => it !== null && it !== '').join(' · ')
  return String(name ?? '')
}
