import { Drawer } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useState } from 'react'
import { SoftwareHoldersDocument, type HolderRow } from '#api/generated/software.ts'
import { q } from '#api/query-client.ts'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Time } from '#ui/time.tsx'

/** A software version or an operating system. */
export interface InstalledItem {
  readonly id: string
  readonly name: string
}

interface InstalledOnDrawerProps {
  readonly held: InstalledItem | undefined
  readonly onClose: () => void
}

/** The assets that have the item. */
export function InstalledOnDrawer({ held, onClose }: InstalledOnDrawerProps) {
  return (
    <Drawer
      opened={held !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={held && `Assets with ${held.name}`}
    >
      {held && <Holders key={held.id} id={held.id} />}
    </Drawer>
  )
}

const SIZE = 50

/** The assets that have it. */
export function Holders({ id }: { readonly id: string }) {
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery({
    ...q(SoftwareHoldersDocument, { id, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.softwareHolders.total
  return (
    <>
      <DataTable
        label="Assets that have it"
        columns={columns}
        rows={data?.softwareHolders.items}
        keyOf={(holder) => holder.id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={Server} title="On no asset">
            It was removed, or updated, since this list was made.
          </EmptyState>
        }
      />
      {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </>
  )
}

const columns: readonly Column<HolderRow>[] = [
  {
    title: 'Asset',
    cell: ({ id, name, os }) => (
      <TwoLines below={os}>
        <Link to="/assets/$assetId" params={{ assetId: id }}>
          {name}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Last seen', cell: ({ lastSeen }) => <Time at={lastSeen} /> },
]
