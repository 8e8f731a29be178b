import { Checkbox, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { AssetRow } from '#api/generated/operations.ts'
import { VirtualTable, type VirtualColumn } from '#ui/table/virtual-table.tsx'
import { useRowKeyboard } from '#ui/table/use-row-keyboard.ts'
import type { AssetColumn } from './asset-columns.tsx'
import type { AssetSearch } from './asset-search-params.ts'
import type { useAssetRows } from './use-asset-rows.ts'
import type { useTableOptions } from './use-table-options.ts'
import type { useSelection } from '#ui/table/use-selection.ts'

interface AssetTableProps {
  readonly search: AssetSearch
  readonly rows: ReturnType<typeof useAssetRows>
  readonly total: number
  readonly tableOptions: ReturnType<typeof useTableOptions>
  readonly selection: ReturnType<typeof useSelection>
}

export function AssetTable({ search, rows, total, tableOptions, selection }: AssetTableProps) {
  const navigate = useNavigate()
  const { cursor } = useRowKeyboard({
    total,
    onOpen: (index) => {
      const asset = rows.rowAt(index)
      if (asset) void navigate({ to: '/assets/$assetId', params: { assetId: asset.id } })
    },
    onMark: (index) => {
      const asset = rows.rowAt(index)
      if (asset) void selection.toggle(asset.id, index)
    },
    onEscape: selection.clear,
  })
  const sorted = useSortedColumns(tableOptions.columns, search)
  return (
    <VirtualTable
      label="Assets"
      columns={[chooser(selection, search.source === undefined), ...sorted]}
      total={total}
      rowAt={rows.rowAt}
      isMarked={({ id }) => selection.has(id)}
      cursor={cursor}
      isCompact={tableOptions.isCompact}
      onDrawn={rows.onDrawn}
    />
  )
}

/** `mayAll`: all that match can be named by a condition. */
const chooser = (
  { has, toggle, toggleAll, isAll, isSome }: AssetTableProps['selection'],
  mayAll: boolean,
): VirtualColumn<AssetRow> => ({
  key: 'chosen',
  title: '',
  head: mayAll ? (
    <Checkbox
      size="xs"
      aria-label="Select all that match"
      checked={isAll}
      indeterminate={isSome}
      onChange={toggleAll}
    />
  ) : (
    <VisuallyHidden>Selected</VisuallyHidden>
  ),
  width: 2.25,
  grow: 0,
  cell: ({ id, name }, index) => (
    <Checkbox
      size="xs"
      aria-label={`Select ${name}`}
      checked={has(id)}
      onChange={({ nativeEvent }) =>
        void toggle(id, index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  ),
})

function useSortedColumns(columns: readonly AssetColumn[], search: AssetSearch): VirtualColumn<AssetRow>[] {
  const navigate = useNavigate()
  const { sort: current = 'lastSeen', direction = 'desc' } = search
  return useMemo(
    () =>
      columns.map(({ key, title, width, grow, fillsWidth, cell, sort }) => ({
        key,
        title,
        width,
        grow,
        fillsWidth,
        cell,
        sort: sort && {
          direction: sort === current ? direction : undefined,
          onSort: () =>
            void navigate({
              to: '/assets',
              search: { ...search, sort, direction: nextDirection(sort, current, direction) },
              replace: true,
            }),
        },
      })),
    [columns, search, current, direction, navigate],
  )
}

/** Initial sort direction: descending for times and risk scores, ascending for texts. */
function nextDirection(wanted: string, current: string, direction: 'asc' | 'desc'): 'asc' | 'desc' {
  if (wanted === current) return direction === 'asc' ? 'desc' : 'asc'
  return wanted.endsWith('Seen') || wanted === 'riskScore' ? 'desc' : 'asc'
}
