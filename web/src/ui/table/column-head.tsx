import { ArrowDown, ArrowUp } from 'lucide-react'
import styles from './column-head.module.css'
import type { SortDirection } from './sort-rows.ts'

/** How a column is sorted: undefined, the rows are sorted by another. */
export interface ColumnSort {
  readonly direction: SortDirection | undefined
  readonly onSort: () => void
}

export const ariaSort = (sort: ColumnSort | undefined): 'ascending' | 'descending' | 'none' | undefined =>
  sort && (sort.direction ? ({ asc: 'ascending', desc: 'descending' } as const)[sort.direction] : 'none')

/** The title of a column; a button where the rows can be sorted by it. */
export function ColumnHead({
  title,
  sort,
}: {
  readonly title: string
  readonly sort?: ColumnSort | undefined
}) {
  if (!sort) return title
  const Arrow = sort.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <button type="button" className={styles['sort']} onClick={sort.onSort}>
      {title}
      {sort.direction && <Arrow size={12} aria-hidden />}
    </button>
  )
}
