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
import type { useRowSelection } from './use-row-selection.ts'

interface AssetTableProps {
  readonly search: AssetSearch
  readonly rows: ReturnType<typeof useAssetRows>
  readonly total: number
  readonly tableOptions: ReturnType<typeof useTableOptions>
  readonly selection: ReturnType<typeof useRowSelection>
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
      if (asset) selection.toggle([asset.id], !selection.ids.has(asset.id))
    },
  })
  const sorted = useSortedColumns(tableOptions.columns, search)
  return (
    <VirtualTable
      label="Assets"
      columns={[chooser(selection), ...sorted]}
      total={total}
      rowAt={rows.rowAt}
      isMarked={({ id }) => selection.ids.has(id)}
      cursor={cursor}
      isCompact={tableOptions.isCompact}
      onDrawn={rows.onDrawn}
    />
  )
}

const chooser = ({ ids, toggle }: AssetTableProps['selection']): VirtualColumn<AssetRow> => ({
  key: 'chosen',
  title: '',
  head: <VisuallyHidden>Selected</VisuallyHidden>,
  width: 2.25,
  grow: 0,
  cell: ({ id, name }) => (
    <Checkbox
      size="xs"
      aria-label={`Select ${name}`}
      checked={ids.has(id)}
      onChange={({ currentTarget }) => toggle([id], currentTarget.checked)}
    />
  ),
})

function useSortedColumns(columns: readonly AssetColumn[], search: AssetSearch): VirtualColumn<AssetRow>[] {
  const navigate = useNavigate()
  const { sort: current = 'lastSeen', direction = 'desc' } = search
  return useMemo(
    () =>
      columns.map(({ key, title, width, grow, takesRest, cell, sort }) => ({
        key,
        title,
        width,
        grow,
        takesRest,
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
