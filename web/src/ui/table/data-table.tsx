import type { ReactNode } from 'react'
import { LoadError } from '../load-error.tsx'
import { SkeletonBlock } from '../skeleton.tsx'
import styles from './data-table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[] | undefined
  readonly keyOf: (row: Row) => string
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Displayed in place of the rows of an empty table. */
  readonly empty: ReactNode
}

/** A paged table with states for loading, error and empty. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, error, onRetry, empty } = props
  if (error) return <LoadError error={error} onRetry={onRetry} />
  if (!rows) return <SkeletonBlock />
  if (rows.length === 0) return empty
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={label}>
      <table className={styles['table']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const classOf = <Row,>({ align, isMinor }: Column<Row>): string =>
  [align === 'right' && styles['right'], isMinor && styles['minor']].filter(Boolean).join(' ')
