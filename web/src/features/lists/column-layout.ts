/** The columns of the list as a text, for addresses, views and this browser: `name,ip:12.5,custom.owner`. */

export interface LaidOutColumn {
  readonly key: string
  /** In rem; undefined: as it comes. */
  readonly width?: number
}

const PART = /^([\w.-]{1,80})(?::(\d{1,2}(?:\.\d{1,2})?))?$/
const COLUMNS_MAX = 60
export const WIDTH_MIN = 3
export const WIDTH_MAX = 60

/** The name is always shown; what is not understood is left out. */
export function readColumns(text: string): readonly LaidOutColumn[] {
  const columns = new Map<string, LaidOutColumn>()
  for (const part of text.split(',').slice(0, COLUMNS_MAX)) {
    const [, key, width] = PART.exec(part) ?? []
    if (key === undefined) continue
    columns.set(key, { key, ...(width !== undefined && { width: withinBounds(Number(width)) }) })
  }
  return columns.has('name') ? [...columns.values()] : [{ key: 'name' }, ...columns.values()]
}

export const writeColumns = (columns: readonly LaidOutColumn[]): string =>
  columns.map(({ key, width }) => (width === undefined ? key : `${key}:${width}`)).join(',')

export const withinBounds = (width: number): number =>
  Math.round(4 * Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width))) / 4

/** The column one place further left or right. */
export function movedColumn(columns: readonly LaidOutColumn[], key: string, by: -1 | 1) {
  const from = columns.findIndex((it) => it.key === key)
  const [column, other] = [columns[from], columns[from + by]]
  return column && other ? columns.with(from + by, column).with(from, other) : columns
}

export const toggledColumn = (columns: readonly LaidOutColumn[], key: string): readonly LaidOutColumn[] =>
  columns.some((it) => it.key === key) ? columns.filter((it) => it.key !== key) : [...columns, { key }]

export const resizedColumn = (columns: readonly LaidOutColumn[], key: string, width: number) =>
  columns.map((it) => (it.key === key ? { key, width: withinBounds(width) } : it))
