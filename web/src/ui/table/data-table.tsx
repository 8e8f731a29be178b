import { useRef, useState, type ReactNode } from 'react'
import { LoadError } from '../load-error.tsx'
import { SkeletonBlock } from '../skeleton.tsx'
import { ariaSort, ColumnHead, type ColumnSort } from './column-head.tsx'
import styles from './data-table.module.css'
import { SelectAllBox, SelectBox } from './select-box.tsx'
import { sortRows, type SortValue } from './sort-rows.ts'
import { addressName } from './address-name.ts'
import { useAddressValue, type Preview } from './use-address-value.ts'
import { isOnControl, useTableKeyboard } from './use-table-keyboard.ts'
import type { RowSelection } from './use-selection.ts'

export interface Column<Row> {
  readonly title: string
  /** In addresses, where that is not the title's. Builds in other languages write it. */
  readonly name?: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  /** On narrow screens only shown when all columns are asked for. */
  readonly isMinor?: boolean
  /** The table sorts its rows by it: those that are loaded. */
  readonly sortBy?: (row: Row) => SortValue
  /** The rows come sorted, of all pages. */
  readonly sort?: ColumnSort | undefined
}

export interface Selecting<Row> {
  readonly selection: RowSelection
  readonly nameOf: (row: Row) => string
  /** Not given: each row. */
  readonly isOffered?: (row: Row) => boolean
}

interface DataTableProps<Row> {
  /** Accessible name of the table; its order stands in the address under it. */
  readonly label: string
  /** In addresses, where that is not the label's. Builds in other languages write it. */
  readonly name?: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[] | undefined
  /** Of all pages; not given: the rows are all. */
  readonly total?: number | undefined
  readonly keyOf: (row: Row) => string
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Displayed in place of the rows of an empty table. */
  readonly empty: ReactNode
  /** The rows can be selected. */
  readonly selecting?: Selecting<Row> | undefined
  /** The rows can be looked at beside the list. */
  readonly preview?: Preview | undefined
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

type FilledProps<Row> = DataTableProps<Row> & { readonly rows: readonly Row[] }

function Filled<Row>(props: FilledProps<Row>) {
  const { label, columns, rows, total = rows.length, keyOf, selecting, preview } = props
  const table = useRef<HTMLDivElement>(null)
  const [isWide, setWide] = useState(false)
  const { sorted, sortOf, isSorted } = useSorted(props.name ?? addressName(label), rows, columns)
  const ids = sorted.map(keyOf)
  const offered = selecting?.isOffered ? sorted.filter(selecting.isOffered).map(keyOf) : ids
  const { cursor, setCursor } = useTableKeyboard(table, {
    ids,
    preview,
    ...(selecting && { selection: selecting.selection, offered }),
  })
  return (
    <>
      <div
        ref={table}
        className={styles['scroll']}
        {...{ tabIndex: 0, role: 'region', 'aria-label': label, 'data-rows': true }}
        data-wide={isWide || undefined}
      >
        <table className={styles['table']}>
          <Head columns={columns} sortOf={sortOf} selection={selecting?.selection} offered={offered} />
          <tbody>
            {sorted.map((row, index) => (
              <tr
                key={ids[index]}
                data-cursor={index === cursor || undefined}
                data-marked={selecting?.selection.has(keyOf(row)) || undefined}
                onClick={(event) => {
                  if (!preview || isOnControl(event)) return
                  setCursor(index)
                  preview.open(keyOf(row))
                }}
              >
                {selecting && <Box row={row} id={keyOf(row)} {...{ selecting, index, ids, offered }} />}
                <Cells row={row} columns={columns} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Notes
        isPart={isSorted && total > rows.length ? rows.length : undefined}
        isNarrowed={columns.some(({ isMinor }) => isMinor)}
        isWide={isWide}
        onWide={setWide}
      />
    </>
  )
}

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sortOf: (column: Column<Row>) => ColumnSort | undefined
  readonly selection: RowSelection | undefined
  readonly offered: readonly string[]
}

const Head = <Row,>({ columns, sortOf, selection, offered }: HeadProps<Row>) => (
  <thead>
    <tr>
      {selection && (
        <th scope="col" className={styles['box']}>
          <SelectAllBox selection={selection} loaded={offered} />
        </th>
      )}
      {columns.map((column) => (
        <th key={column.title} scope="col" className={classOf(column)} aria-sort={ariaSort(sortOf(column))}>
          <ColumnHead title={column.title} sort={sortOf(column)} />
        </th>
      ))}
    </tr>
  </thead>
)

interface BoxProps<Row> {
  readonly row: Row
  readonly id: string
  readonly selecting: Selecting<Row>
  readonly index: number
  readonly ids: readonly string[]
  readonly offered: readonly string[]
}

const Box = <Row,>({ row, id, selecting, index, ids, offered }: BoxProps<Row>) => (
  <td className={styles['box']} data-actions>
    {offered.includes(id) && (
      <SelectBox
        selection={selecting.selection}
        id={id}
        name={selecting.nameOf(row)}
        index={index}
        between={(first, last) => ids.slice(first, last + 1).filter((it) => offered.includes(it))}
      />
    )}
  </td>
)

const Cells = <Row,>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) =>
  columns.map((column) => (
    <td key={column.title} className={classOf(column)} data-actions={column.title === '' || undefined}>
      {column.cell(row)}
    </td>
  ))

interface NotesProps {
  /** How many rows were sorted, where there are more. */
  readonly isPart: number | undefined
  readonly isNarrowed: boolean
  readonly isWide: boolean
  readonly onWide: (isWide: boolean) => void
}

/** What is not to be seen at once: rows of other pages that were not sorted, columns that a phone leaves out. */
const Notes = ({ isPart, isNarrowed, isWide, onWide }: NotesProps) => (
  <>
    {isPart !== undefined && (
      <p className={styles['note']} role="status">
        Sorted are the {isPart} rows of this page.
      </p>
    )}
    {isNarrowed && (
      <button type="button" className={styles['wide']} aria-pressed={isWide} onClick={() => onWide(!isWide)}>
        All columns
      </button>
    )}
  </>
)

/** The rows in the order of the address; in the given one without. */
function useSorted<Row>(name: string, rows: readonly Row[], columns: readonly Column<Row>[]) {
  const [chosen = '', write] = useAddressValue(`${name}.by`)
  const direction = chosen.startsWith('-') ? 'desc' : 'asc'
  const by = chosen.replace(/^-/, '')
  const isBy = (column: Column<Row>) => nameOf(column) === by
  const sortBy = columns.find((column) => column.sortBy && isBy(column))?.sortBy
  return {
    isSorted: sortBy !== undefined,
    sorted: sortBy ? sortRows(rows, sortBy, direction) : rows,
    sortOf: (column: Column<Row>): ColumnSort | undefined => {
      if (!column.sortBy) return column.sort
      const isChosen = isBy(column)
      const sign = isChosen && direction === 'asc' ? '-' : ''
      return {
        direction: isChosen ? direction : undefined,
        onSort: () => write(`${sign}${nameOf(column)}`, { isReplacing: true }),
      }
    },
  }
}

const nameOf = <Row,>({ title, name = addressName(title) }: Column<Row>): string => name

const classOf = <Row,>({ align, isMinor }: Column<Row>): string =>
  [align === 'right' && styles['right'], isMinor && styles['minor']].filter(Boolean).join(' ')
