import { csvRow } from '#platform/formats/csv.ts'
import type { Cell } from '../dataset/dataset.ts'
import type { OpenDataset } from '../dataset/open-dataset.ts'

/** The main table: UTF-8, a row of names, and an empty cell for what was not collected. */
export async function* renderCsv({ sections }: OpenDataset): AsyncGenerator<string> {
  for await (const { head, rows } of sections) {
    if (!head.isMain) continue
    yield csvRow(head.columns.map(({ name }) => name))
    for await (const batch of rows) yield batch.map((row) => csvRow(row.map(cellText))).join('')
    return
  }
}

/** A cell as text: what CSV and XML both write. */
export function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return String(cell)
}
