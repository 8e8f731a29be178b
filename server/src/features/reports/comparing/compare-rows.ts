import type { Cell, Column, Row } from '../dataset/dataset.ts'

/** What two datasets of the same kind say differently in their main table. */

/** By which columns a row of a main table is known again, by the name of its section. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  assets: ['id'],
  replacements: ['asset'],
  controls: ['framework', 'control'],
  products: ['product', 'vendor', 'metric'],
  summary: ['type', 'device_type', 'vendor', 'os', 'site', 'source'],
  links: ['a', 'a_port', 'b', 'b_port', 'kind'],
}

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

/** Rows in the order of their tables. Times are not compared: an asset that was seen again is the same asset. */
export function compareRows(before: MainTable, after: MainTable): Comparison {
  const earlier = new Map(before.rows.map((row) => [keyOf(before, row), row]))
  const shared = after.columns.flatMap((column, at) => {
    const former = before.columns.findIndex(({ name }) => name === column.name)
    return former < 0 || column.kind === 'instant' ? [] : [{ column, former, at }]
  })
  const [added, changed]: [ComparedRow[], ComparedRow[]] = [[], []]
  let unchanged = 0
  for (const row of after.rows) {
    const key = keyOf(after, row)
    const former = earlier.get(key)
    earlier.delete(key)
    const name = nameOf(after, row)
    if (!former) added.push({ key, name, cells: [] })
    else {
      const cells = shared.flatMap(({ column, former: place, at }): ChangedCell[] => {
        const [was, is] = [former[place] ?? null, row[at] ?? null]
        return was === is ? [] : [{ column: column.title, before: was, after: is }]
      })
      if (cells.length > 0) changed.push({ key, name, cells })
      else unchanged += 1
    }
  }
  const gone = [...earlier].map(([key, row]) => ({ key, name: nameOf(before, row), cells: [] }))
  return { added, gone, changed, unchanged }
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
