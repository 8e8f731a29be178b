import { useNavigate } from '@tanstack/react-router'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { SelectAllBox, SelectBox } from '#ui/table/select-box.tsx'
import { useOffset, type Preview } from '#ui/table/use-address-value.ts'
import { useRowKeyboard } from '#ui/table/use-row-keyboard.ts'
import type { RowSelection } from '#ui/table/use-selection.ts'
import { rowPreview } from '#ui/table/use-table-keyboard.ts'
import { VirtualTable, type VirtualColumn } from '#ui/table/virtual-table.tsx'
import type { ListColumn } from './list-column.ts'
import type { ListSearch } from './list-search.ts'
import type { ColumnLayout } from './use-column-layout.ts'
import type { ListRows } from './use-list-rows.ts'
import { useListSearch } from './use-list-search.ts'

export interface SortOrder {
  readonly sort: string
  readonly direction: 'asc' | 'desc'
}

export interface ListTableProps<Row> {
  readonly subject: ConditionSubject
  /** Accessible name of the table. */
  readonly label: string
  readonly search: ListSearch
  /** The order where the address names none. */
  readonly usual: SortOrder
  readonly rows: ListRows<Row>
  readonly layout: ColumnLayout<Row>
  /** Absent: rows cannot be selected. */
  readonly selection?: RowSelection | undefined
  readonly preview: Preview
  readonly nameOf: (row: Row) => string
  /** Where Enter leads; absent: to the preview. */
  readonly pathOf?: ((row: Row) => string | undefined) | undefined
}

/** The rows of a list; all keys and gestures of lists. */
export function ListTable<Row extends { readonly id: string }>(
  props: ListTableProps<Row> & { readonly total: number },
) {
  const { subject, label, rows, total, layout, selection, preview, pathOf } = props
  const navigate = useNavigate()
  const [start, setStart] = useOffset(subject)
  const { cursor, setCursor } = useRowKeyboard({
    total,
    onOpen: (index) => {
      const row = rows.rowAt(index)
      const path = row && pathOf?.(row)
      if (path !== undefined) void navigate({ to: path })
      else if (row) preview.open(row.id)
    },
    onMark: (index) => {
      const row = rows.rowAt(index)
      if (row) void selection?.toggle(row.id, index)
    },
    onEscape: preview.opened === undefined ? selection?.clear : preview.close,
    ...rowPreview(preview, (index) => rows.rowAt(index)?.id),
    start: preview.opened === undefined ? -1 : rows.indexOf(preview.opened),
  })
  const columns = useSortedColumns(props)
  return (
    <VirtualTable
      label={label}
      columns={selection ? [chooser(selection, props), ...columns] : columns}
      total={total}
      rowAt={rows.rowAt}
      isMarked={({ id }) => selection?.has(id) ?? false}
      cursor={cursor}
      isCompact={layout.isCompact}
      onDrawn={rows.onDrawn}
      start={start}
      onRest={(row) => setStart(row, { isReplacing: true })}
      onChoose={({ id }, index) => {
        setCursor(index)
        preview.open(id)
      }}
    />
  )
}

const chooser = <Row extends { readonly id: string }>(
  selection: RowSelection,
  { rows, nameOf }: Pick<ListTableProps<Row>, 'rows' | 'nameOf'>,
): VirtualColumn<Row> => ({
  key: 'chosen',
  title: '',
  head: <SelectAllBox selection={selection} loaded={rows.loaded.map(({ id }) => id)} />,
  width: 2.25,
  grow: 0,
  cell: (row, index) => (
    <SelectBox {...{ selection, index }} id={row.id} name={nameOf(row)} between={rows.idsBetween} />
  ),
})

function useSortedColumns<Row>({
  layout,
  search,
  usual,
}: Pick<ListTableProps<Row>, 'layout' | 'search' | 'usual'>): VirtualColumn<Row>[] {
  const change = useListSearch()
  const current = search.sort ?? usual.sort
  const direction = search.direction ?? (search.sort === undefined ? usual.direction : 'asc')
  return layout.columns.map((column) => ({
    ...column,
    grow: column.grow ?? 0,
    onWidth: (next: number) => layout.resize(column.key, next),
    sort: column.sort
      ? {
          direction: column.sort === current ? direction : undefined,
          onSort: () => change(nextOrder(column, { sort: current, direction }), { isReplacing: true }),
        }
      : undefined,
  }))
}

function nextOrder(
  { sort, isGreatestFirst = false }: Pick<ListColumn<never>, 'sort' | 'isGreatestFirst'>,
  current: SortOrder,
): ListSearch {
  if (sort === current.sort) return { sort, direction: current.direction === 'asc' ? 'desc' : 'asc' }
  return { sort, direction: isGreatestFirst ? 'desc' : 'asc' }
}
