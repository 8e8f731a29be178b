/** One row: the path of a value, and the value. */
export interface ResultRow {
  readonly path: string
  readonly value: string
}

const ROWS_MAX = 400
const ITEMS_MAX = 50

/** Flattens a scan result for a table. Lists of plain values are one row; objects in lists are numbered. */
export function flattenScanResult(read: unknown): readonly ResultRow[] {
  const rows: ResultRow[] = []
  flatten(read, '', rows)
  return rows.slice(0, ROWS_MAX)
}

function flatten(value: unknown, path: string, rows: ResultRow[]): void {
  if (rows.length > ROWS_MAX) return
  if (Array.isArray(value)) flattenList(value, path, rows)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      flatten(inner, path === '' ? key : `${path} › ${key}`, rows)
  else if (value !== null && value !== '')
    rows.push({ path, value: String(value as string | number | boolean) })
}

function flattenList(items: readonly unknown[], path: string, rows: ResultRow[]): void {
  if (items.length === 0) return
  const more = items.length > ITEMS_MAX ? `, and ${items.length - ITEMS_MAX} more` : ''
  if (items.every((it) => typeof it !== 'object'))
    rows.push({ path, value: items.slice(0, ITEMS_MAX).join(', ') + more })
  else if (items.every(isPlain))
    for (const [at, item] of items.slice(0, ITEMS_MAX).entries())
      rows.push({ path: `${path} ${at + 1}`, value: Object.values(item).filter(Boolean).join(' · ') })
  else items.slice(0, ITEMS_MAX).forEach((item, at) => flatten(item, `${path} ${at + 1}`, rows))
  if (more !== '' && items.some((it) => typeof it === 'object')) rows.push({ path, value: more.slice(2) })
}

const isPlain = (item: unknown): item is Record<string, unknown> =>
  typeof item === 'object' && item !== null && Object.values(item).every((it) => typeof it !== 'object')
