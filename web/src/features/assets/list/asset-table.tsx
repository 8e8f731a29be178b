import { useNavigate } from '@tanstack/react-router'
import type { AssetRow } from '#api/generated/assets.ts'
import { SelectAllBox, SelectBox } from '#ui/table/select-box.tsx'
import { useOffset, type Preview } from '#ui/table/use-address-value.ts'
import { useRowKeyboard } from '#ui/table/use-row-keyboard.ts'
import type { RowSelection } from '#ui/table/use-selection.ts'
import { rowPreview } from '#ui/table/use-table-keyboard.ts'
import { VirtualTable, type VirtualColumn } from '#ui/table/virtual-table.tsx'
import type { AssetSearch } from './asset-search-params.ts'
import type { useAssetRows } from './use-asset-rows.ts'
import type { useTableOptions } from './use-table-options.ts'

interface AssetTableProps {
  readonly search: AssetSearch
  readonly rows: ReturnType<typeof useAssetRows>
  readonly total: number
  readonly tableOptions: ReturnType<typeof useTableOptions>
  readonly selection: RowSelection
  readonly preview: Preview
}

export function AssetTable({ search, rows, total, tableOptions, selection, preview }: AssetTableProps) {
  const navigate = useNavigate()
  const [start, setStart] = useOffset('Assets')
  const { cursor, setCursor } = useRowKeyboard({
    total,
    onOpen: (index) => {
      const asset = rows.rowAt(index)
      if (asset) void navigate({ to: '/assets/$assetId', params: { assetId: asset.id } })
    },
    onMark: (index) => {
      const asset = rows.rowAt(index)
      if (asset) void selection.toggle(asset.id, index)
    },
    onEscape: preview.opened === undefined ? selection.clear : preview.close,
    ...rowPreview(preview, (index) => rows.rowAt(index)?.id),
    start: preview.opened === undefined ? -1 : rows.indexOf(preview.opened),
  })
  const sorted = useSortedColumns(tableOptions, search)
  return (
    <VirtualTable
      label="Assets"
      columns={[chooser(selection, rows), ...sorted]}
      total={total}
      rowAt={rows.rowAt}
      isMarked={({ id }) => selection.has(id)}
      cursor={cursor}
      isCompact={tableOptions.isCompact}
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

const chooser = (
  selection: RowSelection,
  { idsBetween, loadedIds }: AssetTableProps['rows'],
): VirtualColumn<AssetRow> => ({
  key: 'chosen',
  title: '',
  head: <SelectAllBox selection={selection} loaded={loadedIds} />,
  width: 2.25,
  grow: 0,
  cell: ({ id, name }, index) => <SelectBox {...{ selection, id, name, index }} between={idsBetween} />,
})

function useSortedColumns(
  { columns, resize }: AssetTableProps['tableOptions'],
  search: AssetSearch,
): VirtualColumn<AssetRow>[] {
  const navigate = useNavigate()
  const { sort: current = 'lastSeen', direction = 'desc' } = search
  return columns.map(({ key, title, width, grow, fillsWidth, cell, sort }) => ({
    key,
    title,
    width,
    grow,
    fillsWidth,
    cell,
    onWidth: (next: number) => resize(key, next),
    sort: sort && {
      direction: sort === current ? direction : undefined,
      onSort: () =>
        void navigate({
          to: '/assets',
          search: { ...search, sort, direction: nextDirection(sort, current, direction) },
          replace: true,
        }),
    },
  }))
}

/** Initial sort direction: descending for times and risk scores, ascending for texts. */
function nextDirection(wanted: string, current: string, direction: 'asc' | 'desc'): 'asc' | 'desc' {
  if (wanted === current) return direction === 'asc' ? 'desc' : 'asc'
  return wanted.endsWith('Seen') || wanted === 'riskScore' || wanted === 'confidence' ? 'desc' : 'asc'
}
