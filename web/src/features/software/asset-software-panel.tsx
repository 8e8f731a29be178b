import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Package } from 'lucide-react'
import {
  AssetSoftwareChangesDocument,
  AssetSoftwareDocument,
  type AssetSoftwareChangesData,
  type InstalledRow,
} from '#api/generated/software.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { Timeline } from '#ui/timeline.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { originName } from './software-origins.ts'

const SIZE = 25

/** Installed software of an asset. */
export function AssetSoftwarePanel({ assetId }: { readonly assetId: string }) {
  const [offset, setOffset] = useOffset('Software')
  const { data, error, refetch } = useQuery({
    ...q(AssetSoftwareDocument, { assetId, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.assetSoftware.total
  return (
    <Panel title="Software" aside={total !== undefined && total > 0 && <Badge>{count(total)}</Badge>} isFlush>
      <DataTable
        label="Software on this asset"
        columns={columns}
        rows={data?.assetSoftware.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={Package} title="No software known">
            A scan over SSH, WMI or SNMP, or an imported SBOM lists it.
          </EmptyState>
        }
      />
      {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

const columns: readonly Column<InstalledRow>[] = [
  {
    title: 'Name',
    cell: (row) => <TwoLines below={detailOf(row)}>{row.name}</TwoLines>,
  },
  {
    title: 'Version',
    cell: ({ version, arch }) => <TwoLines below={arch}>{version || 'not told'}</TwoLines>,
  },
  { title: 'Listed by', isMinor: true, cell: ({ origin }) => originName(origin) },
]

/** Whose it is, or where it lies. */
function detailOf({ origin, vendor, users, paths, sourceName, purl }: InstalledRow): string {
  if (users.length > 0) return `for ${users.join(', ')}`
  if (origin !== 'library') return vendor
  if (sourceName === '') return paths[0] ?? ''
  // whose distribution lists fixes only: its registry is asked about it as well
  return purl.includes('?distro=')
    ? `part of ${sourceName}`
    : `part of ${sourceName}: its findings are those of that package`
}

/** What was installed, updated and removed; nothing when nothing was. */
export function SoftwareChangesPanel({ assetId }: { readonly assetId: string }) {
  const { data } = useQuery(q(AssetSoftwareChangesDocument, { assetId }))
  const changes = data?.assetSoftwareChanges.items ?? []
  if (changes.length === 0) return null
  return (
    <Panel title="Software that changed">
      <Timeline entries={changes.map(({ id, at, ...it }) => ({ id, at, title: titleOf(it) }))} />
    </Panel>
  )
}

type Change = AssetSoftwareChangesData['assetSoftwareChanges']['items'][number]

function titleOf({ kind, name, version, formerVersion }: Omit<Change, 'id' | 'at'>): string {
  if (kind === 'installed') return `${name} ${version} came`
  if (kind === 'removed') return `${name} ${formerVersion} went`
  return `${name}: ${formerVersion} → ${version}`
}
