import { useRef, useState, type ReactNode } from 'react'
import { LoadError } from '../load-error.tsx'
import { SkeletonBlock } from '../skeleton.tsx'
import { ariaSort, ColumnHead, type ColumnSort } from './column-head.tsx'
import styles from './data-table.module.css'
import { sortRows, type SortDirection, type SortValue } from './sort-rows.ts'
import { useTableKeyboard } from './use-table-keyboard.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean
  /** The table sorts its rows by it, where it has all of them. */
  readonly sortBy?: (row: Row) => SortValue
  /** The rows come sorted: for lists that are loaded in pages. */
  readonly sort?: ColumnSort | undefined
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[] | undefined
  /** Of all pages; not given: the rows are all. Some of many are not sorted here, which would look like all. */
  readonly total?: number | undefined
  readonly keyOf: (row: Row) => string
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Displayed in place of the rows of an empty table. */
  readonly empty: ReactNode
}

/**
 * A table with states for loading, error and empty. j and k move through the rows of the table that has the focus, or of
 * the first one on the screen; Enter follows the first link or button of the row.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, error, onRetry, empty } = props
  if (error) return <LoadError error={error} onRetry={onRetry} />
  if (!rows) return <SkeletonBlock />
  if (rows.length === 0) return empty
  return <Filled {...props} rows={rows} />
}

function Filled<Row>(props: DataTableProps<Row> & { readonly rows: readonly Row[] }) {
  const { label, columns, rows, total = rows.length, keyOf } = props
  const table = useRef<HTMLDivElement>(null)
  const { cursor } = useTableKeyboard(table, rows.length)
  const { sorted, sortOf } = useSorted(rows, columns, total === rows.length)
  return (
    <div ref={table} className={styles['scroll']} tabIndex={0} role="region" aria-label={label} data-rows>
      <table className={styles['table']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classOf(column)}
                aria-sort={ariaSort(sortOf(column))}
              >
                <ColumnHead title={column.title} sort={sortOf(column)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row, index) => (
            <tr key={keyOf(row)} data-cursor={index === cursor || undefined}>
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={classOf(column)}
                  data-actions={column.title === '' || undefined}
                >
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

/** The rows in the order that was chosen last; in the given one until then. */
function useSorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], isWhole: boolean) {
  const [chosen, setChosen] = useState<{ readonly title: string; readonly direction: SortDirection }>()
  const sortBy = isWhole ? columns.find(({ title }) => title === chosen?.title)?.sortBy : undefined
  return {
    sorted: chosen && sortBy ? sortRows(rows, sortBy, chosen.direction) : rows,
    sortOf: ({ title, sort, sortBy: valueOf }: Column<Row>): ColumnSort | undefined => {
      if (!valueOf || !isWhole) return sort
      const direction = title === chosen?.title ? chosen.direction : undefined
      return {
        direction,
        onSort: () => setChosen({ title, direction: direction === 'asc' ? 'desc' : 'asc' }),
      }
    },
  }
}

const classOf = <Row,>({ align, isMinor }: Column<Row>): string =>
  [align === 'right' && styles['right'], isMinor && styles['minor']].filter(Boolean).join(' ')
