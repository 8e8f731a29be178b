import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { ScansDocument, ScanSourcesDocument, type ScanRow } from '#api/generated/scans.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { duration } from '#lib/dates.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { isInProgress, ScanStatusBadge } from './scan-status.tsx'

const SIZE = 25

export const firstScans = q(ScansDocument, { first: SIZE, offset: 0 })

/** All scans, newest first. */
export function ScanHistory() {
  const [offset, setOffset] = useOffset('Scans')
  const { data, error, refetch } = useQuery({
    ...q(ScansDocument, { first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.scans.total
  return (
    <Panel title="History" aside={<AllScans total={total} />} isFlush>
      <DataTable
        label="Scans"
        columns={[...columns, useFound()]}
        rows={data?.scans.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={Radar} title="No scan yet">
            Start a scan of a target, and watch here what it finds.
          </EmptyState>
        }
      />
      {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

function AllScans({ total }: { readonly total: number | undefined }) {
  return (
    <>
      {total !== undefined && <Badge>{count(total)}</Badge>} <Link to="/scans/all">Search and sort all</Link>
    </>
  )
}

const columns: readonly Column<ScanRow>[] = [
  {
    title: 'Scan',
    cell: ({ id, type, targetAddress }) => (
      <TwoLines below={type}>
        <Link to="/scans/$scanId" params={{ scanId: id }}>
          {targetAddress}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Status', cell: ({ status }) => <ScanStatusBadge status={status} /> },
  {
    title: 'Result',
    isMinor: true,
    // the progress of running scans is displayed above
    cell: ({ status, message }) => <span className="quiet">{isInProgress(status) ? '' : message}</span>,
  },
  { title: 'Took', align: 'right', isMinor: true, cell: Duration },
  { title: 'Started', isMinor: true, cell: (scan) => <Time at={scan.startedAt ?? scan.createdAt} /> },
]

function Duration({ startedAt, finishedAt }: ScanRow) {
  if (startedAt === null || finishedAt === null) return ''
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000
  return <time dateTime={`PT${seconds}S`}>{duration(seconds)}</time>
}

/** Number of hosts, with a link to the assets of scans of this type. */
function useFound(): Column<ScanRow> {
  const may = usePermission()
  const { data } = useQuery({ ...q(ScanSourcesDocument, {}), enabled: may('sources:read') })
  return {
    title: 'Assets',
    align: 'right',
    cell: ({ type, status, assetCount }) => {
      const source = data?.sources.find(({ kind }) => kind === type)
      if (isInProgress(status) || assetCount === 0 || !source) return count(assetCount)
      return (
        <Link
          to="/assets"
          search={{ where: compareTerm('source_kind', [source.kind]) }}
          aria-label={`${count(assetCount)} assets, as ${type} sees them`}
        >
          {count(assetCount)}
        </Link>
      )
    },
  }
}
