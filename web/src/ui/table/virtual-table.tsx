import { useEffect, useEffectEvent, type ReactNode } from 'react'
import styles from './virtual-table.module.css'
import { ColumnWidth } from './column-width.tsx'
import { ariaSort, ColumnHead, type ColumnSort } from './column-head.tsx'
import { Skeleton } from '../skeleton.tsx'
import { isOnControl } from './use-table-keyboard.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

export interface VirtualColumn<Row> {
  readonly key: string
  readonly title: string
  /** Minimum width in rem. */
  readonly width: number
  /** Share of the width by which it grows, like flex-grow. */
  readonly grow: number
  /** Grows to the remaining width. */
  readonly fillsWidth?: boolean | undefined
  readonly cell: (row: Row, index: number) => ReactNode
  /** Rendered in place of the title. */
  readonly head?: ReactNode
  readonly sort?: ColumnSort | undefined
  /** The person may change its width. */
  readonly onWidth?: ((width: number) => void) | undefined
}

interface VirtualTableProps<Row> {
  readonly label: string
  readonly columns: readonly VirtualColumn<Row>[]
  readonly total: number
  /** The row at the index; undefined while loading. */
  readonly rowAt: (index: number) => Row | undefined
  readonly isMarked?: (row: Row) => boolean
  /** Index of the row with the keyboard cursor. */
  readonly cursor: number
  readonly isCompact?: boolean
  /** Called with the range of rendered rows. */
  readonly onDrawn: (first: number, end: number) => void
  /** A row was clicked beside its links and boxes. */
  readonly onChoose?: (row: Row, index: number) => void
  /** The row at the top at first, and where it is told which one is there when scrolling has ended. */
  readonly start?: number
  readonly onRest?: (row: number) => void
}

const ROW = 34
const COMPACT_ROW = 27
const HEAD = 32
/** Root font size in pixels on which the row heights above are based; they scale with it. */
const ROOT_FONT_SIZE = 16

/** A virtual table of any number of rows: only those in the viewport, and the overscan, are rendered and loaded. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, total, cursor, isCompact = false, onDrawn, start = 0, onRest } = props
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / ROOT_FONT_SIZE
  const rowHeight = Math.round((isCompact ? COMPACT_ROW : ROW) * scale)
  const { ref, drawn, onScroll, show } = useVirtualRows(total, {
    rowHeight,
    headHeight: HEAD * scale,
    start,
    onRest,
  })
  const { first, end, top, height } = drawn
  useEffect(() => onDrawn(first, end), [first, end, onDrawn])
  const follow = useEffectEvent((row: number) => show(row))
  useEffect(() => {
    if (cursor >= 0) follow(cursor)
  }, [cursor])
  const gridTemplateColumns = columns.map(trackOf).join(' ')
  const minWidth = `${columns.reduce((sum, { width }) => sum + width, PADDING)}rem`
  return (
    <div
      ref={ref}
      className={styles['scroll']}
      onScroll={onScroll}
      tabIndex={0}
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
    >
      <div className={styles['head']} role="row" aria-rowindex={1} style={{ gridTemplateColumns, minWidth }}>
        {columns.map((column) => (
          <Head key={column.key} column={column} />
        ))}
      </div>
      <div className={styles['body']} style={{ height, minWidth }} role="rowgroup">
        <div className={styles['drawn']} style={{ transform: `translateY(${top}px)` }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, at) => (
            <TableRow
              key={first + at}
              table={props}
              index={first + at}
              height={rowHeight}
              tracks={gridTemplateColumns}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** Horizontal padding of a row in rem, both sides. */
const PADDING = 1.5
const trackOf = ({
  width,
  grow,
  fillsWidth,
}: Pick<VirtualColumn<never>, 'width' | 'grow' | 'fillsWidth'>): string => {
  if (fillsWidth) return `minmax(${width}rem, 1fr)`
  return grow === 0 ? `${width}rem` : `minmax(${width}rem, ${width * (1 + grow)}rem)`
}

function Head<Row>({ column }: { readonly column: VirtualColumn<Row> }) {
  const { title, head, sort, width, onWidth } = column
  return (
    <div role="columnheader" className={styles['head-cell']} aria-sort={ariaSort(sort)}>
      <span className={styles['cell']}>{head ?? <ColumnHead title={title} sort={sort} />}</span>
      {onWidth && <ColumnWidth title={title} width={width} onWidth={onWidth} />}
    </div>
  )
}

interface TableRowProps<Row> {
  readonly table: VirtualTableProps<Row>
  readonly index: number
  readonly height: number
  readonly tracks: string
}

function TableRow<Row>({ table, index, height, tracks }: TableRowProps<Row>) {
  const { columns, rowAt, isMarked, cursor, onChoose } = table
  const row = rowAt(index)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- p does the same, for the whole document
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles['row']}
      data-cursor={index === cursor || undefined}
      data-marked={(row && isMarked?.(row)) || undefined}
      style={{ gridTemplateColumns: tracks, height }}
      onClick={(event) => {
        if (row && !isOnControl(event)) onChoose?.(row, index)
      }}
    >
      {columns.map((column) => (
        <div key={column.key} role="cell" className={styles['cell']}>
          {row ? column.cell(row, index) : <Skeleton />}
        </div>
      ))}
    </div>
  )
}
