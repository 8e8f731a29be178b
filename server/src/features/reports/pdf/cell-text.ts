import type { Cell, Column } from '../dataset/dataset.ts'
import { cellText } from '../formats/csv.ts'

/** A cell as people read it; empty: not collected. Times are in UTC, which the head of the column says. */
export function readableCell(cell: Cell, { kind, isCode }: Pick<Column, 'kind' | 'isCode'>): string {
  if (isCode && typeof cell === 'string') return cell.replaceAll('_', ' ')
  if (kind === 'instant' && typeof cell === 'string') return cell.slice(0, 16).replace('T', ' ')
  if (kind === 'integer' && typeof cell === 'number') return grouped(String(cell))
  if (kind === 'decimal' && typeof cell === 'string') return grouped(cell)
  return cellText(cell)
}

export const headText = ({ title, kind }: Column): string => (kind === 'instant' ? `${title} (UTC)` : title)

/** Thousands are set apart by a narrow blank (ISO 80000-1); the point is decimal. */
export function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const apart = whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0')
  return fraction === undefined ? apart : `${apart}.${fraction}`
}
